import type { DocumentFacts } from "../language/facts";
import type { Field } from "../language/fields";
import { isEmpty, same, sameInDocument } from "../value/equality";
import { isObject } from "../value/json";
import { isNamed, matches, type Path } from "../value/path";
import type { Value } from "../value/unknown";

/** True if a path into a document names an entry of a map with user-defined keys. Such an entry exists even if it is empty. */
export function isEntry({ entries, freeEntries }: DocumentFacts, path: Path): boolean {
  return isNamed(entries, path) || (freeEntries?.some((pattern) => matches(pattern, path, true)) ?? false);
}

/** True if the presence of a value at this path in a document is significant even if the value is empty. */
export function countsWhenEmpty(facts: DocumentFacts, path: Path): boolean {
  return isNamed(facts.blocks, path) || isEntry(facts, path);
}

/**
 * True if a value of a property contains only empty values, at any depth. An entry under a user-defined key is never empty.
 * @param inside the path from the property to the value
 */
export function isDeepEmpty(field: Field, value: Value | undefined, inside: Path = []): boolean {
  const { children, facts } = field;
  if (value === undefined || value === null) return true;
  if (isEntryOf(field, inside)) return false;
  if (Array.isArray(value))
    return value.every((element, index) => isDeepEmpty(field, element, [...inside, index]));
  if (!isObject(value)) return isEmpty(value);
  return Object.entries(value).every(([name, member]) => {
    const child = children?.find((each) => each.name === name);
    if (child !== undefined) return isDeepEmpty(child, member);
    return facts.document !== undefined && isDeepEmpty(field, member, [...inside, name]);
  });
}

/**
 * True if two values at a path into a model are equal. Absent and empty values are equal, except for an entry under a
 * user-defined key.
 */
export function sameAt(field: Field, path: Path, a: Value | undefined, b: Value | undefined): boolean {
  return isEntryOf(field, path.slice(1)) ? sameInDocument(a, b) : same(a, b);
}

function isEntryOf({ facts: { document } }: Field, inside: Path): boolean {
  return document !== undefined && isEntry(document, inside);
}

/**
 * True if others may add to a property under these inputs: Quarterdeck then manages only the program's own elements. If the
 * property supports additions but the inputs exclude them, the program asks for exactly its own elements, and updates remove
 * all others.
 */
export function isAdditive({ facts }: Field, inputs: Readonly<Record<string, unknown>>): boolean {
  const { additive } = facts;
  return additive === true || (additive !== undefined && inputs[additive.unless] !== true);
}
