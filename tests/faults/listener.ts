import { type Message, messageOf } from "./claims";
import type { Process } from "./process";
import type { Sent } from "./wire";

/** An error or a notice, with the requests of its step until then. */
export interface ReportedMessage extends Message {
  readonly requests: readonly Sent[];
}

/** Records the messages of a process, and the requests that its steps have sent until each of them. */
export class Listener {
  readonly #errors: ReportedMessage[] = [];
  /** The number of notices when each request was sent. */
  readonly #noticesAt: number[] = [];
  /** The number of notices and of requests at the beginning of each step. */
  readonly #steps: { readonly notice: number; readonly request: number }[];
  readonly #first: number;
  readonly #process: Process;

  /** Create it after all faults are set on the wire of the process. */
  constructor(process: Process) {
    this.#process = process;
    const { wire, notices } = process;
    this.#first = wire.requests.length;
    this.#steps = [{ notice: 0, request: this.#first }];
    const own = wire.happening;
    wire.happening = (sent) => {
      this.#noticesAt.push(notices.length);
      return own(sent);
    };
  }

  /** A step of the provider begins. Earlier requests belong to another step. */
  begins(): void {
    const { wire, notices } = this.#process;
    this.#steps.push({ notice: notices.length, request: wire.requests.length });
  }

  /** The step fails with an error. */
  fails(error: Error): void {
    const { wire, notices } = this.#process;
    this.#errors.push({ ...messageOf(error), requests: this.#ofStep(notices.length, wire.requests.length) });
  }

  /** All messages until now. */
  get messages(): readonly ReportedMessage[] {
    const notices = this.#process.notices.map((message, notice) => {
      const sent = this.#noticesAt.filter((before) => before <= notice).length;
      return { ...message, requests: this.#ofStep(notice, this.#first + sent) };
    });
    return [...this.#errors, ...notices];
  }

  /** The requests of the step that runs when there are this many notices and requests. */
  #ofStep(notices: number, sent: number): readonly Sent[] {
    const step = this.#steps.findLast(({ notice }) => notice <= notices);
    return this.#process.wire.requests.slice(step?.request, sent);
  }
}
