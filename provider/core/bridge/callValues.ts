import type { Behalf } from "../http/request";
import type { Inputs } from "../value/unknown";
import type { Provider } from "./provider";

/** What a call needs of a provider. */
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

/** What an engine hands over with a call for one resource. */
export interface CallValues {
  readonly id?: string;
  readonly inputs: Inputs;
  readonly outputs?: Inputs;
}

/** How long a call may take, in milliseconds, what ends it, and on whose behalf it is made. */
export interface CallLimits {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly behalf?: Behalf;
}
