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

/** What the steps of one version left of one resource. */
export interface State extends Replayed {
  /** How the create ended. */
  readonly end: string;
  /** What that version's own preview showed as changed. */
  readonly preview: readonly string[];
}

const FIXTURES = join(__dirname, "fixtures", "deeds");

/** Where the states of a version are kept; without one, where all of them are. */
export function recordingsOf(version?: string): string {
  return version === undefined ? FIXTURES : join(FIXTURES, `${version}.json`);
}
