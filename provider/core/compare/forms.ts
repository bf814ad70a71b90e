import { createHash } from "node:crypto";
import { type Field, fieldNamed, fieldsOf, type Specified } from "../language/fields";
import type { ServiceText } from "../language/serviceText";
import { formatJson, type Json } from "../value/json";
import { memoByObject } from "../value/memo";
import { metadataOf, type ParsedText, withMetadata } from "../value/programInputs";
import { type Inputs, isKnown, known, UNKNOWN, type Value } from "../value/unknown";

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
export function writtenForm(definition: Specified, field: Field, inputs: Inputs): WrittenForm | undefined {
  for (const form of formsOf(definition, field)) {
    const value = inputs[form.name];
    if (value === undefined || value === null) continue;
    return { field: form, value: readable(definition, form, inputs, value) };
  }
  return undefined;
}

/** The form that these inputs use for each property with several forms, by the property's name. */
export function formsIn(definition: Specified, inputs: Inputs): ReadonlyMap<string, Field> {
  return new Map(
    fieldsWithForms(definition).flatMap((field) => {
      const form = writtenForm(definition, field, inputs)?.field;
      return form === undefined ? [] : [[field.name, form] as const];
    }),
  );
}

/** The property whose name a form is compared and recorded under. A property without other forms is its own. */
export function recordedAs(definition: Specified, field: Field): Field {
  return fieldNamed(definition, field.facts.formOf) ?? field;
}

/** The properties in their own right: neither another form of a property nor an input for parsing a form. */
export const ownFields = memoByObject((definition: Specified): readonly Field[] =>
  fieldsOf(definition).filter(
    ({ name, facts }) => facts.formOf === undefined && !definition.serviceText?.with.includes(name),
  ),
);

/** The properties that have several forms. */
const fieldsWithForms = memoByObject((definition: Specified): readonly Field[] =>
  fieldsOf(definition).filter((field) => formsOf(definition, field).length > 1),
);

/** A property, and its other forms. */
function formsOf(definition: Specified, field: Field): readonly Field[] {
  return formsByName(definition).get(field.name) ?? [field];
}

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

/** Replaces text that only the service can parse by the parse result, if it is known. */
function readable(definition: Specified, form: Field, inputs: Inputs, value: Value): Value {
  if (definition.serviceText?.property !== form.name || !isKnown(value)) return value;
  return readingOf(definition.serviceText, inputs) ?? UNKNOWN;
}

/** True if these inputs contain text that only the service can parse, and all its inputs are known. */
export function holdsText({ property, with: others }: ServiceText, inputs: Inputs): boolean {
  return (
    typeof inputs[property] === "string" &&
    others.every((name) => inputs[name] === undefined || isKnown(inputs[name]))
  );
}

/** The content of these inputs' text: parsed locally if possible, else the service's parse result stored with the inputs. */
export function readingOf(text: ServiceText, inputs: Inputs): Json | undefined {
  const written = inputs[text.property];
  if (typeof written !== "string") return undefined;
  return text.plain(written) ?? readingAlong(text, inputs);
}

function readingAlong(text: ServiceText, inputs: Inputs): Json | undefined {
  const { parsedText } = metadataOf(inputs);
  if (parsedText === undefined || !holdsText(text, inputs)) return undefined;
  return parsedText.of === fingerprint(text, inputs) ? parsedText.says : undefined;
}

/** Stores the service's parse result with these inputs, if it is already known, and removes a result for other text. */
export function withReadingAlong<I extends Inputs>(
  text: ServiceText,
  inputs: I,
  earlier: (fingerprint: string) => ParsedText | undefined,
): I {
  const { parsedText } = metadataOf(inputs);
  const of = fingerprintOf(text, inputs);
  if (of === parsedText?.of) return inputs;
  return withMetadata(inputs, { parsedText: of === undefined ? undefined : earlier(of) });
}

/** Stores a new parse result with these inputs. */
export function withReading<I extends Inputs>(text: ServiceText, inputs: I, says: Json): I {
  return withMetadata(inputs, { parsedText: { of: fingerprint(text, inputs), says } });
}

/**
 * The fingerprint of these inputs' text and of the inputs that affect its parse result; undefined without text, or if parts
 * are unknown.
 */
export function fingerprintOf(text: ServiceText, inputs: Inputs): string | undefined {
  return holdsText(text, inputs) ? fingerprint(text, inputs) : undefined;
}

function fingerprint({ property, with: others }: ServiceText, inputs: Inputs): string {
  const parts = [property, ...others].map((name) => known(inputs[name] ?? null));
  return createHash("sha256").update(formatJson(parts)).digest("hex");
}
