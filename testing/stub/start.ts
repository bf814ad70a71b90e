import { StubClock } from "./clock";
import type { StubControls } from "./control";
import { ControlApi } from "./frame/control-api";
import { ControlDesk } from "./frame/control-desk";
import { ControlPlane } from "./frame/control-plane";
import { FaultBook } from "./frame/fault-book";
import { type LogBounds, RequestLog } from "./frame/request-log";
import { SERVICES } from "./planes";
import { defaultSeed } from "./seed";
import type { ServiceName } from "./service";
import type { MeshOptions } from "./services/mesh/service";
import type { SchedulerOptions } from "./services/scheduler/service";
import type { SecretsOptions } from "./services/secrets/service";
import type { WorkspacesOptions } from "./services/workspaces/service";

/** What a program's setting `dialect` says, too. */
export type Dialect = "neutral" | "real";

/** How the stub starts. A service of which nothing is said knows the {@link defaultSeed}. */
export interface StubOptions {
  readonly workspaces?: WorkspacesOptions;
  readonly scheduler?: SchedulerOptions;
  readonly secrets?: SecretsOptions;
  readonly mesh?: MeshOptions;
  /**
   * The names of headers, fields and default mounts: the products' own (`real`, the default), or the specification's
   * (`neutral`). A service whose own switches name a dialect uses that.
   */
  readonly dialect?: Dialect;
  /** Loopback ports; any free one where none is named. */
  readonly ports?: Partial<Record<ServiceName | "control", number>>;
  /** Real time where none is given. */
  readonly clock?: StubClock;
  /** How much the request log keeps: 20,000 requests and 256 MiB of bodies where nothing is said. */
  readonly log?: Partial<LogBounds>;
}

/** A stub that runs: four control planes, and how to control them from here or from another process. */
export interface Stub extends StubControls {
  /** Where each service is: `http://127.0.0.1:…`. */
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly dialect: Dialect;
  /** Where `StubControl` finds it. */
  readonly control: string;
  readonly clock: StubClock;
  /** Ends everything, requests under way included. */
  stop(): Promise<void>;
}

/**
 * Starts the four control planes and their control, each on a port of 127.0.0.1.
 * @throws Error that says which service cannot listen where; nothing runs then.
 */
export async function startStub(options: StubOptions = {}): Promise<Stub> {
  const { ports = {}, clock = new StubClock(), dialect = "real" } = options;
  const surroundings = { clock, log: new RequestLog(options.log), faults: new FaultBook() };
  const speaking = <Options extends { readonly switches?: object }>(own?: Options) => ({
    ...own,
    switches: { dialect, ...own?.switches },
  });
  const services = [
    new SERVICES.workspaces({ seed: defaultSeed.workspaces, ...speaking(options.workspaces) }),
    new SERVICES.scheduler({ seed: defaultSeed.scheduler, ...speaking(options.scheduler) }),
    new SERVICES.secrets({ seed: defaultSeed.secrets, ...speaking(options.secrets) }),
    new SERVICES.mesh({ seed: defaultSeed.mesh, ...speaking(options.mesh) }),
  ];
  const planes = services.map((service) => new ControlPlane(service, surroundings));
  const desk = new ControlDesk(services, surroundings);
  const running: { stop(): Promise<void> }[] = [...planes];
  const stop = async () => {
    await Promise.all(running.map((part) => part.stop()));
  };
  try {
    const started = planes.map(async (plane) => {
      const name = plane.service.name;
      return [name, await plane.start(ports[name] ?? 0)] as const;
    });
    const addresses = addressesOf(await settled(started));
    const api = new ControlApi(desk, addresses);
    running.push(api);
    const control = await api.start(ports.control ?? 0);
    return Object.assign(desk, { addresses, dialect, control, clock, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** All of them have ended when this ends, so that what did start can be stopped. */
async function settled<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

function addressesOf(started: readonly (readonly [ServiceName, string])[]): Record<ServiceName, string> {
  // There is one plane for every name.
  return Object.fromEntries(started) as Record<ServiceName, string>;
}
