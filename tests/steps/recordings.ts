import { join } from "node:path";
import type { Json } from "../../provider/core/value/json";

/** A request that reached the service before a state was recorded, from any user. */
interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** The time on the world's clock. */
  readonly at: number;
}

/** The data that is needed to continue from a state. */
export interface Replayed {
  readonly token: string;
  /** A program that completes. */
  readonly program: { readonly [name: string]: Json };
  /** The program of the recorded step. */
  readonly written: { readonly [name: string]: Json };
  readonly id: string;
  readonly outputs: { [name: string]: Json };
  /** Every request that reached the service, in order: a new server that gets them has the same objects. */
  readonly requests: readonly Request[];
}

/** The recorded state of one resource. */
export interface State extends Replayed {
  /** How the create ended. */
  readonly end: string;
  /** The changes that the preview showed. */
  readonly preview: readonly string[];
}

/** The file that contains these states. */
export const RECORDED = join(__dirname, "fixtures", "actions.json");
