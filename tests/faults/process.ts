import { createClient } from "../../provider/core/http/client";
import type { ClientOptions } from "../../provider/core/http/options";
import type { RequestLine } from "../../provider/core/http/requestLog";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import { ServiceClock } from "./serviceClock";
import { VirtualTime } from "./time";
import { Wire } from "./wire";

/** Creates the resource of a process. Default: the steps without an engine. */
export type ResourceFactory = (world: World, definition: AnyDefinition) => Resource;

const bySteps: ResourceFactory = (world, definition) => new Resource(world, definition);

/** A program's process. It reports nothing after it is killed. */
export class Process {
  readonly wire: Wire;
  readonly resource: Resource;
  /** Its messages that are not errors. */
  readonly notices: World["notices"];
  /** Its log of requests. */
  readonly lines: RequestLine[] = [];
  readonly canceling = new AbortController();
  private reportKill: () => void = () => undefined;
  readonly killed = new Promise<"killed">((resolve) => {
    this.reportKill = () => resolve("killed");
  });

  constructor(
    readonly world: World,
    definition: AnyDefinition,
    readonly time: VirtualTime,
    readonly clock: ServiceClock,
    keeping: ResourceFactory = bySteps,
  ) {
    const { kind } = definition.life;
    this.wire = new Wire(world.stub, time, clock, kind === "action" || kind === "procedure");
    const { wire } = this;
    const ours = world.by({
      runtime: time,
      createClient: (options: ClientOptions) =>
        wire.observing(createClient({ ...options, dispatcher: wire, log: (line) => this.lines.push(line) })),
    });
    this.notices = ours.notices;
    this.resource = keeping(ours, definition);
  }

  /**
   * The first process on a service that was prepared two hours before. The service's clock is `ahead` milliseconds
   * ahead.
   */
  static first(world: World, definition: AnyDefinition, ahead = 0, keeping = bySteps): Process {
    const time = new VirtualTime(world.now + PREPARATION_AGE_MS);
    const clock = new ServiceClock(time, ahead);
    world.clock = clock;
    return new Process(world, definition, time, clock, keeping);
  }

  kill(): void {
    this.wire.happening = () => () => undefined;
    this.reportKill();
  }
}

/** The time between the preparation of the service and the command. */
const PREPARATION_AGE_MS = 2 * 3_600_000;
