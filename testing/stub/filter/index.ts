import { FilterError } from "./error";
import { type MapNames, testOf } from "./evaluate";
import { parseFilter } from "./parse";

export type { Expression } from "./ast";
export { FilterError } from "./error";
export { parseFilter } from "./parse";
export { printFilter } from "./print";

/** The maps of the scheduler's records whose keys are the user's own. */
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
 * Makes a test of a filter expression (row "Filtering" of the general conventions). Throws a
 * {@link FilterError}: at once where the expression cannot be read, with its position, and at an item that
 * the expression does not fit. `maps` names the fields that are maps with keys of the user's own: only there
 * is a key that is missing no error.
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
