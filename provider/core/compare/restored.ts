import type { Field } from "../language/fields";
import type { Json } from "../value/json";
import { canonicalField } from "./model";

/** What a property goes back to when the program drops it. */
export function restoredValue(field: Field): Json | undefined {
  const value = field.facts.default ?? field.facts.empty;
  const canonical = value === undefined ? undefined : canonicalField(field, value);
  // A definition's own default holds no unknown.
  return canonical as Json | undefined;
}
