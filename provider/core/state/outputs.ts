import { rivalsOf } from "../diff/exclusive";
import { recordedField, type WrittenForm, writtenForm } from "../diff/forms";
import { asAnswered, asWritten, decodeField, type Model, memberFor, restoredValue } from "../diff/models";
import { canonicalField } from "../diff/normalize";
import { driftedValue, plainOf, withoutOrdinary } from "../diff/project";
import { type DefinitionBase, type Field, fieldsOf, isInherited } from "../language/fields";
import type { KnownInputs, Observation } from "../language/object";
import { isAddress, isCompared, isShown, isWritable } from "../language/role";
import { isObject, type Json } from "../value/json";
import { metadataOf, withMetadata } from "../value/programInputs";
import { same } from "../value/scalar";
import { asKnown, type Value } from "../value/unknown";
import { formatRecords, RECORDS, type Records } from "./records";

type Outputs = { [property: string]: Json };

/** The ID and the outputs of a resource after a step. */
export interface ResourceState {
  readonly id: string;
  readonly outputs: Outputs;
}

/**
 * The outputs of a resource, with the records. A property has the program's value, in the program's form, if the server
 * still has that value. All other properties have the server's value.
 */
export function outputsOf(
  definition: DefinitionBase,
  inputs: Outputs,
  records: Records,
  body: Observation["body"],
): Outputs {
  const outputs: Outputs = {};
  for (const field of fieldsOf(definition)) {
    const value = outputOf(definition, field, inputs, records, body);
    if (value !== undefined && value !== null) outputs[field.name] = withoutBigints(value);
  }
  outputs[RECORDS] = formatRecords(records);
  return outputs;
}

function outputOf(
  definition: DefinitionBase,
  field: Field,
  inputs: Outputs,
  records: Records,
  body: Observation["body"],
) {
  const { facts, name } = field;
  if (!isShown(facts)) return inputs[name];
  if (facts.inReceipt) return records.receipt?.[name];
  if (isAddress(facts)) return records.address[name] ?? inputs[name];
  const property = recordedField(definition, field);
  const written = writtenForm(definition, property, inputs);
  if (written !== undefined) {
    return written.field.name === name ? driftedForm(property, written, inputs, records) : undefined;
  }
  if (property !== field) return undefined;
  const answered = asWritten(field, decodeField(field, memberFor(definition, field, body)));
  // Indexes and tokens are strings, so that they are never rounded.
  return typeof answered === "number" && field.isText ? String(answered) : answered;
}

/** The value that the program wrote, in its own form. Parts that others changed have their current value. */
function driftedForm(
  property: Field,
  { field, value }: WrittenForm,
  inputs: Outputs,
  { baseline, observed }: Records,
) {
  const [before, now] = [baseline[property.name], observed[property.name]];
  const written = inputs[field.name];
  if (written === undefined || same(before, now)) return written;
  return driftedValue(field, { written, read: asKnown(value), baseline: before, observed: now }, inputs);
}

/**
 * The inputs that would produce the observed object: the current values of changed properties, and the program's values of
 * all others.
 */
export function driftedInputs(definition: DefinitionBase, records: Records): KnownInputs {
  const inputs: Outputs = {};
  const applied = { ...records.lastApplied };
  for (const field of fieldsOf(definition)) {
    const written = records.lastApplied[field.name];
    if (written === undefined) continue;
    const { facts, name } = field;
    const isRead = isCompared(facts) && !isAddress(facts);
    const property = recordedField(definition, field);
    const form = isRead ? writtenForm(definition, property, records.lastApplied) : undefined;
    const value = form?.field.name === name ? driftedForm(property, form, applied, records) : written;
    if (value !== undefined && value !== null) inputs[name] = value;
  }
  const rivals = rivalsOf(definition)?.held(applied, records.baseline, records.observed) ?? [];
  for (const { rival, field, value } of rivals) {
    const [name = "", inside] = rival.split(".");
    const written = asWritten(field, value) ?? null;
    const parent = inputs[name];
    if (inside === undefined) inputs[name] = written;
    else if (isObject(parent)) inputs[name] = { ...parent, [inside]: written };
  }
  return withMetadata(inputs, metadataOf(records.lastApplied));
}

/** The knowledge of a resource about its documents, in addition to their facts: see `Reads`. */
interface Usual {
  readonly withoutImportedDefaults?: ((document: Json, written?: Json) => Json) | undefined;
}

/** Integers beyond 2^53 are strings in outputs: Pulumi's numbers are doubles. */
function withoutBigints(value: Json): Json {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(withoutBigints);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutBigints(part)]));
}

/**
 * The inputs of a program that would show no changes for an object that was only read: every property of the object, except
 * deprecated and inherited ones.
 * @param usual also removes members from documents that are equivalent to their absence
 */
export function inputsFromObservation(
  definition: DefinitionBase,
  seen: Model,
  address: Records["address"],
  usual?: Usual,
): Outputs {
  const inputs: Outputs = {};
  for (const field of fieldsOf(definition)) {
    const { facts, name } = field;
    if (!isWritable(facts) || !isShown(facts) || facts.formOf !== undefined) continue;
    if (facts.deprecated !== undefined) continue;
    const value = isAddress(facts) ? address[name] : seen[name];
    if (value === undefined || value === null || isInherited(field, seen)) continue;
    const plain = asWritten(field, usual ? ordinaryOf(field, plainOf(value), usual) : plainOf(value)) ?? null;
    if (facts.role !== "identity" && isRestored(field, value)) continue;
    inputs[name] = withoutRestored(field, plain, value);
  }
  return rivalsOf(definition)?.withoutComputed(inputs) ?? inputs;
}

/** True if an update that leaves the property out restores this value. */
function isRestored(field: Field, value: Value): boolean {
  const restored = restoredValue(field);
  return !field.required && restored !== undefined && same(restored, value);
}

/** A structure without the members that have their default value. */
function withoutRestored({ children }: Field, written: Json, value: Value): Json {
  if (children === undefined || !isObject(written) || !isObject(value)) return written;
  const restored = children.filter((child) => {
    const own = value[child.name];
    return own !== undefined && isRestored(child, own);
  });
  return Object.fromEntries(
    Object.entries(written).filter(([name]) => !restored.some((child) => child.name === name)),
  );
}

/**
 * A model whose documents lack the members that the server adds, and the members without effect.
 * @param written the program's values, if they determine the effect of leaving a member out
 */
export function ordinaryModel(
  definition: DefinitionBase,
  model: Model,
  usual: Usual,
  written: Model = {},
): Model {
  const documents = fieldsOf(definition).flatMap((field) => {
    const value = model[field.name];
    if (field.facts.document === undefined || value === undefined) return [];
    return [
      [
        field.name,
        canonicalField(asAnswered(field), ordinaryOf(field, plainOf(value), usual, written[field.name])),
      ] as const,
    ];
  });
  return { ...model, ...Object.fromEntries(documents) };
}

/** A document without the members that no program would write. Other values are unchanged. */
function ordinaryOf({ facts }: Field, value: Json, usual: Usual, written?: Json): Json {
  if (facts.document === undefined) return value;
  const own = usual.withoutImportedDefaults?.(value, written) ?? value;
  return withoutOrdinary(own, facts.document, facts.document.required);
}
