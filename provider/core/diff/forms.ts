import type { DocumentFacts } from "../language/facts";
import { type Field, fieldNamed, fieldsOf, type Specified } from "../language/fields";
import { parsedTextOf } from "../language/serviceText";
import { memoByObject } from "../value/memo";
import type { Path } from "../value/path";
import { type Inputs, isKnown, UNKNOWN, type Value } from "../value/unknown";

/**
 * A program's value of a property, in any of the property's forms. The field has the form's own name and spelling, and the
 * property's wire name and document facts.
 */
export interface WrittenForm {
  readonly field: Field;
  /** The value to compare and send; unknown if only the service can parse the written value. */
  readonly value: Value;
}

/** The value that these inputs give for a property; undefined if they give it in no form. */
export function writtenForm(definition: Specified, { name }: Field, inputs: Inputs): WrittenForm | undefined {
  const { serviceText } = definition;
  for (const field of formsByName(definition).get(name) ?? []) {
    const value = inputs[field.name];
    if (value === undefined || value === null) continue;
    const isText = serviceText?.property === field.name && isKnown(value);
    return { field, value: isText ? (parsedTextOf(serviceText, inputs) ?? UNKNOWN) : value };
  }
  return undefined;
}

/** The form that these inputs use for each property with several forms, by the property's name. */
export function formsIn(definition: Specified, inputs: Inputs): ReadonlyMap<string, Field> {
  const several = [...formsByName(definition).values()].filter(({ length }) => length > 1);
  return new Map(
    several.flatMap(([field]) => {
      const form = field && writtenForm(definition, field, inputs)?.field;
      return field && form ? [[field.name, form] as const] : [];
    }),
  );
}

/** The property whose name a form is compared and recorded under. A property without other forms is its own. */
export function recordedField(definition: Specified, field: Field): Field {
  return fieldNamed(definition, field.facts.formOf) ?? field;
}

/** The facts of the document in a property, in whatever form the property is written. */
export function documentFactsIn(
  definition: Specified,
  name: Path[number] | undefined,
): DocumentFacts | undefined {
  const field = fieldNamed(definition, name);
  return field && recordedField(definition, field).facts.document;
}

/** The properties in their own right: neither another form of a property nor an input for parsing a form. */
export const ownFields = memoByObject((definition: Specified): readonly Field[] =>
  fieldsOf(definition).filter(
    ({ name, facts }) => facts.formOf === undefined && !definition.serviceText?.with.includes(name),
  ),
);

/** Each property and its other forms. A form has the property's facts, except for its own name and spelling. */
const formsByName = memoByObject((definition: Specified): ReadonlyMap<string, readonly Field[]> => {
  const fields = fieldsOf(definition);
  return new Map(
    fields.map((field) => {
      const others = fields.filter(({ facts }) => facts.formOf === field.name);
      return [field.name, [field, ...others.map((other) => asForm(field, other))]];
    }),
  );
});

function asForm(field: Field, other: Field): Field {
  const { spelling: _, ...facts } = field.facts;
  const { spelling } = other.facts;
  return { ...field, name: other.name, facts: { ...facts, ...(spelling && { spelling }) } };
}
