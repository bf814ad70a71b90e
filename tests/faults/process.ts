import { createClient } from "../../provider/core/http/client";
import type { ClientOptions } from "../../provider/core/http/options";
import type { RequestLine } from "../../provider/core/http/requestLog";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import { ServiceClock } from "./serviceClock";
import { VirtualTime } from "./time";
import { Wire } from "./wire";

/** How a process has its resource kept: by the steps alone, where nothing else is said. */
export type Keeping = (world: World, definition: AnyDefinition) => Resource;

const bySteps: Keeping = (world, definition) => new Resource(world, definition);

/** A program's process: killed, it says nothing more. */
export class Process {
  readonly wire: Wire;
  readonly resource: Resource;
  /** Its messages beside errors. */
  readonly notices: World["notices"];
  /** Its log of requests. */
  readonly lines: RequestLine[] = [];
  readonly cancelling = new AbortController();
  private die: () => void = () => undefined;
  readonly killed = new Promise<"killed">((resolve) => {
    this.die = () => resolve("killed");
  });

  constructor(
    readonly world: World,
    definition: AnyDefinition,
    readonly time: VirtualTime,
    readonly clock: ServiceClock,
    keeping: Keeping = bySteps,
  ) {
    const { kind } = definition.life;
    this.wire = new Wire(world.stub, time, clock, kind === "action" || kind === "procedure");
    const { wire } = this;
    const ours = world.by({
      runtime: time,
      createClient: (options: ClientOptions) =>
        wire.heard(createClient({ ...options, dispatcher: wire, log: (line) => this.lines.push(line) })),
    });
    this.notices = ours.notices;
    this.resource = keeping(ours, definition);
  }

  /** The first one on a service that was prepared a while ago; its clock is `ahead` of everybody else's, in milliseconds. */
  static first(world: World, definition: AnyDefinition, ahead = 0, keeping = bySteps): Process {
    const time = new VirtualTime(world.now + A_WHILE_MS);
    const clock = new ServiceClock(time, ahead);
    world.clock = clock;
    return new Process(world, definition, time, clock, keeping);
  }

  kill(): void {
    this.wire.happening = () => () => undefined;
    this.die();
  }
}

/** What was prepared was so a while ago. */
const A_WHILE_MS = 2 * 3_600_000;
