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

/** The values of a program's setting `dialect`. */
export type Dialect = "neutral" | "real";

/** The start options of the mock servers. A service without options starts with the {@link defaultSeed}. */
export interface StubOptions {
  readonly workspaces?: WorkspacesOptions;
  readonly scheduler?: SchedulerOptions;
  readonly secrets?: SecretsOptions;
  readonly mesh?: MeshOptions;
  /**
   * The names of headers, fields and default mounts: the products' own (`real`, the default), or the specification's
   * (`neutral`). A service's own switch `dialect` takes precedence.
   */
  readonly dialect?: Dialect;
  /** Loopback ports; free ones by default. */
  readonly ports?: Partial<Record<ServiceName | "control", number>>;
  /** Defaults to real time. */
  readonly clock?: StubClock;
  /** The limits of the request log; default: 20,000 requests and 256 MiB of bodies. */
  readonly log?: Partial<LogBounds>;
}

/** The running mock servers: four servers, and their controls for this and other processes. */
export interface Stub extends StubControls {
  /** The address of each service: `http://127.0.0.1:…`. */
  readonly addresses: Readonly<Record<ServiceName, string>>;
  readonly dialect: Dialect;
  /** The address for `StubControl`. */
  readonly control: string;
  readonly clock: StubClock;
  /** Stops all servers, even during a request. */
  stop(): Promise<void>;
}

/**
 * Starts the four mock servers and their control, each on a port of 127.0.0.1.
 * @throws Error that names the service that cannot listen and its port; no server is running then.
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
    const addresses = addressesOf(await awaitAll(started));
    const api = new ControlApi(desk, addresses);
    running.push(api);
    const control = await api.start(ports.control ?? 0);
    return Object.assign(desk, { addresses, dialect, control, clock, stop });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits until all promises have settled, so that the caller can stop the servers that did start. */
async function awaitAll<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

function addressesOf(started: readonly (readonly [ServiceName, string])[]): Record<ServiceName, string> {
  // `started` contains every service name.
  return Object.fromEntries(started) as Record<ServiceName, string>;
}
