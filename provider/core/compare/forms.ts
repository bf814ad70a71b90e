import { createHash } from "node:crypto";
import { type Field, fieldNamed, fieldsOf, type Specified } from "../language/fields";
import type { ServiceText } from "../language/stepInput";
import { asideOf, type Reading, withAside } from "../value/aside";
import { formatJson, type Json } from "../value/json";
import { memoByObject } from "../value/memo";
import { type Inputs, isKnown, known, UNKNOWN, type Value } from "../value/unknown";

/**
 * What a program writes for a property, in whichever of its forms: under the form's own name and spelling, with the
 * property's place on the wire and everything that is known of its document.
 */
export interface WrittenForm {
  readonly field: Field;
  /** The value that is compared and sent; unknown where only the service could read what was written. */
  readonly value: Value;
}

/** What these inputs say of a property; undefined where they give it in none of its forms. */
export function writtenForm(definition: Specified, field: Field, inputs: Inputs): WrittenForm | undefined {
  for (const form of formsOf(definition, field)) {
    const value = inputs[form.name];
    if (value === undefined || value === null) continue;
    return { field: form, value: readable(definition, form, inputs, value) };
  }
  return undefined;
}

/** The form in which these inputs give each property that has several, by the property's name. */
export function formsIn(definition: Specified, inputs: Inputs): ReadonlyMap<string, Field> {
  return new Map(
    fieldsWithForms(definition).flatMap((field) => {
      const form = writtenForm(definition, field, inputs)?.field;
      return form === undefined ? [] : [[field.name, form] as const];
    }),
  );
}

/** The property under whose name a form is compared and recorded; a property without other forms is its own. */
export function recordedAs(definition: Specified, field: Field): Field {
  return fieldNamed(definition, field.facts.formOf) ?? field;
}

/** The properties that stand for themselves: neither another form of one, nor what helps to read a form. */
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

/** Each property and its other forms with the property's own facts but for name and spelling. */
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

/** Text that only the service can read stands for what it read in it, if that is known. */
function readable(definition: Specified, form: Field, inputs: Inputs, value: Value): Value {
  if (definition.serviceText?.property !== form.name || !isKnown(value)) return value;
  return readingOf(definition.serviceText, inputs) ?? UNKNOWN;
}

/** Whether these inputs hold text that only the service can read, all of it known. */
export function holdsText({ property, with: others }: ServiceText, inputs: Inputs): boolean {
  return (
    typeof inputs[property] === "string" &&
    others.every((name) => inputs[name] === undefined || isKnown(inputs[name]))
  );
}

/** What the text of these inputs says: by itself, or as the service read it where that goes along. */
export function readingOf(text: ServiceText, inputs: Inputs): Json | undefined {
  const written = inputs[text.property];
  if (typeof written !== "string") return undefined;
  return text.plain(written) ?? readingAlong(text, inputs);
}

function readingAlong(text: ServiceText, inputs: Inputs): Json | undefined {
  const { reading } = asideOf(inputs);
  if (reading === undefined || !holdsText(text, inputs)) return undefined;
  return reading.of === fingerprint(text, inputs) ? reading.says : undefined;
}

/**
 * These inputs with what the service read in their text, as far as it is known already; a reading of other text is left
 * out.
 */
export function withReadingAlong<I extends Inputs>(
  text: ServiceText,
  inputs: I,
  earlier: (fingerprint: string) => Reading | undefined,
): I {
  const { reading, ...aside } = asideOf(inputs);
  const of = fingerprintOf(text, inputs);
  if (of === undefined) return reading === undefined ? inputs : withAside(inputs, aside);
  if (reading?.of === of) return inputs;
  const found = earlier(of);
  return withAside(inputs, { ...aside, ...(found && { reading: found }) });
}

/** These inputs with a new reading. */
export function withReading<I extends Inputs>(text: ServiceText, inputs: I, says: Json): I {
  return withAside(inputs, { ...asideOf(inputs), reading: { of: fingerprint(text, inputs), says } });
}

/** The fingerprint of these inputs' text and of what it is read with; undefined where there is none, or parts are unknown. */
export function fingerprintOf(text: ServiceText, inputs: Inputs): string | undefined {
  return holdsText(text, inputs) ? fingerprint(text, inputs) : undefined;
}

function fingerprint({ property, with: others }: ServiceText, inputs: Inputs): string {
  const parts = [property, ...others].map((name) => known(inputs[name] ?? null));
  return createHash("sha256").update(formatJson(parts)).digest("hex");
}
