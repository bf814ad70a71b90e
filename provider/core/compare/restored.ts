import { type DefinitionBase, type Field, fieldsOf } from "../language/fields";
import type { Values } from "../language/object";
import type { Json } from "../value/json";
import { canonicalField, type Model, modelOfInputs } from "./model";

/** What a property goes back to when the program drops it. */
export function restoredValue(field: Field): Json | undefined {
  const value = field.facts.default ?? field.facts.empty;
  return canonicalField(field, value);
}

/** The default of a property. */
export function defaultValue(field: Field): Json | undefined {
  return canonicalField(field, field.facts.default);
}

/** What a write of these inputs asks for: what the program writes, and the defaults of the other properties. */
export function modelWithDefaults(definition: DefinitionBase, inputs: Values): Model {
  const defaults = fieldsOf(definition).map((field) => [field.name, defaultValue(field)] as const);
  return {
    ...Object.fromEntries(defaults.filter(([, value]) => value !== undefined)),
    ...modelOfInputs(definition, inputs),
  };
}
