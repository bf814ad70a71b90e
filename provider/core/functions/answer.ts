import type { Values } from "../language/object";

/** A function's answer. */
export interface Answer {
  readonly result: Values;
  /** Whether anything in it must be kept encrypted. */
  readonly isSecret: boolean;
}
