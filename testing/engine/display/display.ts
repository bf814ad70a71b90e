import type { EngineEvent } from "../events";

/** What to show of an operation, and how. */
export interface DisplayOptions {
  readonly stack: string;
  readonly project: string;
  readonly preview: boolean;
  /** Debug messages too. */
  readonly debug: boolean;
  /** No outputs, of the stack or of anything. */
  readonly suppressOutputs: boolean;
  /** Long texts in full. */
  readonly fullOutput: boolean;
  out(text: string): void;
  error(text: string): void;
  /** The time in milliseconds. */
  now(): number;
}

/** Shows an operation's events, in the order in which they come. */
export interface Display {
  show(event: EngineEvent): void;
}
