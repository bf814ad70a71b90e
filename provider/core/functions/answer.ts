import type { Values } from "../language/object";

/** A function's result. */
export interface Answer {
  readonly result: Values;
  /** True if any part of it must be stored encrypted. */
  readonly isSecret: boolean;
}
