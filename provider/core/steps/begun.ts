import type { Change } from "../compare/changes";
import type { Definition } from "../language/resource";
import { isWritten } from "../language/rules";
import { isNeverRead, type Records } from "../state/records";
import type { Inputs } from "../value/unknown";

/** The links with a read of their own that were never read, because no program of this resource managed them yet. */
export function unreadLinks({ life: { links } }: Definition, { seen, applied }: Records): string[] {
  return links
    .filter(({ field, read }) => read && seen[field] === undefined && applied[field] === undefined)
    .map(({ field }) => field);
}

/**
 * Of these, what the program begins to write as nothing. What the service holds there is not known, so that an update has to
 * look, though nothing may be left to send.
 */
export function begunAsNothing(
  definition: Definition,
  records: Records,
  inputs: Inputs,
  changes: readonly Change[],
): string[] {
  if (isNeverRead(records)) return [];
  const changed = new Set(changes.map(({ field }) => field.name));
  return unreadLinks(definition, records).filter((name) => isWritten(inputs[name]) && !changed.has(name));
}
