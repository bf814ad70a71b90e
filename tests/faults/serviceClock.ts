import { StubClock } from "../../testing/stub/clock";
import type { VirtualTime } from "./time";

/** The clock of a service in virtual time. Waits take no real time. */
export class ServiceClock extends StubClock {
  readonly #time: VirtualTime;

  /** @param ahead milliseconds that the clock is ahead of all others; negative if it is behind */
  constructor(time: VirtualTime, ahead: number) {
    super(() => time.now() + ahead);
    this.#time = time;
  }

  override async until(at: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.now() < at)
      await this.#time.sleep(at - this.now(), signal).catch(() => undefined);
  }
}
