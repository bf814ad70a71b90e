import { type ClientOptions, createClient } from "../../provider/core/http/client";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import type { ServiceClock } from "./serviceClock";
import type { VirtualTime } from "./time";
import { Wire } from "./wire";

/** A program's process: killed, it says nothing more. */
export class Process {
  readonly wire: Wire;
  readonly resource: Resource;
  /** What it has told beside errors. */
  readonly logged: string[];
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
  ) {
    this.wire = new Wire(world.stub, time, clock);
    const { wire } = this;
    const ours = world.by({
      runtime: time,
      createClient: (options: ClientOptions) => createClient({ ...options, dispatcher: wire }),
    });
    this.logged = ours.logged;
    this.resource = new Resource(ours, definition);
  }

  kill(): void {
    this.wire.happening = () => () => undefined;
    this.die();
  }
}
