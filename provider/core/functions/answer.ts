import type { Values } from "../language/object";

/** A function's result. In a module of its own: the package's types export it, and must not reach the definitions. */
export interface Answer {
  readonly result: Values;
  /** True if any part of it must be stored encrypted. */
  readonly isSecret: boolean;
}
