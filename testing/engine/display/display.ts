import type { EngineEvent } from "../events";

/** Display options of an operation. */
export interface DisplayOptions {
  readonly stack: string;
  readonly project: string;
  readonly preview: boolean;
  /** Also shows debug messages. */
  readonly debug: boolean;
  /** Hides the outputs of the stack and its resources. */
  readonly suppressOutputs: boolean;
  /** Shows long strings completely. */
  readonly fullOutput: boolean;
  out(text: string): void;
  error(text: string): void;
  /** The time in milliseconds. */
  now(): number;
}

/** Shows an operation's events in their order. */
export interface Display {
  show(event: EngineEvent): void;
}
