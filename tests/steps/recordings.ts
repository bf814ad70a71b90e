import { join } from "node:path";
import type { Json } from "../../provider/core/value/json";

/** A request that reached the service before a state was left, whoever sent it. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** By the clock of the world. */
  readonly at: number;
}

/** What is needed to go on from a state. */
export interface Replayed {
  readonly token: string;
  /** A program that comes to its end. */
  readonly program: { readonly [name: string]: Json };
  /** What was written. */
  readonly written: { readonly [name: string]: Json };
  readonly id: string;
  readonly outputs: { [name: string]: Json };
  /** Everything that reached the service, in its order: sent to a fresh one it makes the same objects. */
  readonly requests: readonly Request[];
}

/** What the steps left of one resource. */
export interface State extends Replayed {
  /** How the create ended. */
  readonly end: string;
  /** What the preview showed as changed. */
  readonly preview: readonly string[];
}

/** The file of these states. */
export const RECORDED = join(__dirname, "fixtures", "deeds.json");
