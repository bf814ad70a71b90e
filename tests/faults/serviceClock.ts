import { StubClock } from "../../testing/stub/clock";
import type { VirtualTime } from "./time";

/** The clock of a service in virtual time: whatever waits for it waits without costing anything. */
export class ServiceClock extends StubClock {
  readonly #time: VirtualTime;

  /** @param ahead milliseconds that it is ahead of everybody else's; behind where the number is negative */
  constructor(time: VirtualTime, ahead: number) {
    super(() => time.now() + ahead);
    this.#time = time;
  }

  override async until(at: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.now() < at)
      await this.#time.sleep(at - this.now(), signal).catch(() => undefined);
  }
}
