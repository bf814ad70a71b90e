import type { Needed } from "../../provider/core/language/route";

/** A request of a resource or a function, and the permissions it needs; undefined if they depend on the request's content. */
export interface NeededByRequest {
  readonly request: string;
  /** The path after the service's prefix, with parameters in braces. */
  readonly path: string;
  readonly needs: readonly Needed[] | undefined;
}
