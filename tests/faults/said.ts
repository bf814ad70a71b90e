import type { Process } from "./process";
import type { Sent } from "./wire";

/** An error's message or a logged line, with what was sent of its step until then. */
export interface Said {
  readonly text: string;
  readonly requests: readonly Sent[];
}

/** Hears what a process says, and at which moment of its step. */
export class Listener {
  readonly #errors: Said[] = [];
  /** How many lines were logged when each request was sent. */
  readonly #linesAt: number[] = [];
  /** How many lines were logged, and requests sent, when each step began. */
  readonly #steps: { readonly line: number; readonly request: number }[];
  readonly #first: number;
  readonly #process: Process;

  /** After all that the process is to suffer was put on its wire. */
  constructor(process: Process) {
    this.#process = process;
    const { wire, logged } = process;
    this.#first = wire.requests.length;
    this.#steps = [{ line: 0, request: this.#first }];
    const own = wire.happening;
    wire.happening = (sent) => {
      this.#linesAt.push(logged.length);
      return own(sent);
    };
  }

  /** A step of the provider begins: what was sent before belongs to another. */
  begins(): void {
    const { wire, logged } = this.#process;
    this.#steps.push({ line: logged.length, request: wire.requests.length });
  }

  /** An error is told now. */
  hears({ message }: Error): void {
    const { wire, logged } = this.#process;
    this.#errors.push({ text: message, requests: this.#ofStep(logged.length, wire.requests.length) });
  }

  /** All that was said until now. */
  get said(): readonly Said[] {
    const lines = this.#process.logged.map((text, line) => {
      const sent = this.#linesAt.filter((before) => before <= line).length;
      return { text, requests: this.#ofStep(line, this.#first + sent) };
    });
    return [...this.#errors, ...lines];
  }

  /** The requests of the step that is under way when so many lines were logged, and so many requests sent. */
  #ofStep(lines: number, sent: number): readonly Sent[] {
    const step = this.#steps.findLast(({ line }) => line <= lines);
    return this.#process.wire.requests.slice(step?.request, sent);
  }
}
