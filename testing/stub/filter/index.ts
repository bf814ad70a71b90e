import { FilterError } from "./error";
import { type MapNames, testOf } from "./evaluate";
import { parseFilter } from "./parse";

export type { Expression } from "./ast";
export { FilterError } from "./error";
export { parseFilter } from "./parse";
export { printFilter } from "./print";

/** The maps of Nomad's records that have user-defined keys. */
const SCHEDULER_MAPS: MapNames = new Set([
  "Meta",
  "CanaryMeta",
  "Env",
  "Config",
  "TaskGroups",
  "TaskStates",
  "Volumes",
  "QueuedAllocations",
  "FailedTGAllocs",
  "TaggedAddresses",
  "VariableFlags",
]);

/**
 * Compiles a filter expression to a test (row "Filtering" of the general conventions). Throws a {@link FilterError}:
 * immediately, with the position, if the expression is invalid, and for an item that it does not match in type. `maps` names
 * the fields with user-defined keys: only there a missing key is not an error.
 */
export function compileFilter(
  expression: string,
  maps: MapNames = SCHEDULER_MAPS,
): (item: unknown) => boolean {
  try {
    return testOf(parseFilter(expression), maps);
  } catch (error) {
    if (!(error instanceof FilterError) || error.position === undefined) throw error;
    throw new FilterError(`1:${error.position + 1}: ${error.message}`, error.position);
  }
}
