import type { RequestOrigin } from "../http/request";
import type { Inputs } from "../value/unknown";
import type { Provider } from "./provider";

/** The parts of a provider that a call needs. */
export type Host = Pick<
  Provider,
  | "adoptsIdentical"
  | "connection"
  | "going"
  | "places"
  | "readings"
  | "secretAt"
  | "shared"
  | "tell"
  | "unforetold"
>;

/** The values that an engine sends with a call for one resource. */
export interface CallValues {
  readonly id?: string;
  readonly inputs: Inputs;
  readonly outputs?: Inputs;
}

/** The time limit of a call in milliseconds, the signal that cancels it, and the origin of its requests. */
export interface CallLimits {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly behalf?: RequestOrigin;
}
