import type { Field } from "../language/fields";
import type { Json } from "../value/json";
import { canonicalField } from "./model";

/** What a property goes back to when the program drops it. */
export function restoredValue(field: Field): Json | undefined {
  const value = field.facts.default ?? field.facts.empty;
  return canonicalField(field, value);
}
