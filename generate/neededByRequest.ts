import type { Needed } from "../provider/core/language/route";

/** One request of a resource or a function, and what its token needs; undefined where that depends on what is written. */
export interface NeededByRequest {
  readonly request: string;
  /** Behind the service's prefix, with names in braces. */
  readonly path: string;
  readonly needs: readonly Needed[] | undefined;
}
