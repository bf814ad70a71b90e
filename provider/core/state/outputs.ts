import { z } from "zod";
import { restoredValue } from "../compare/comparison";
import { plainOf } from "../compare/document";
import { asWritten, driftedValue } from "../compare/drifted";
import { rivalsHeld, withoutComputed } from "../compare/exclusive";
import { recordedAs, type WrittenForm, writtenForm } from "../compare/forms";
import { asAnswered, canonicalField, decode, type Model, memberFor } from "../compare/model";
import { withoutOrdinary } from "../compare/predicted";
import { requiredIn } from "../language/documentFacts";
import { type DefinitionBase, type Field, fieldsOf, unwrapped } from "../language/fields";
import type { Observation } from "../language/object";
import { isAddress, isCompared, isShown, isWritable } from "../language/role";
import { asideOf, withAside } from "../value/aside";
import { same } from "../value/equality";
import { isObject, type Json } from "../value/json";
import { known, type Value } from "../value/unknown";
import { formatRecords, RECORDS, type Records } from "./records";

type Outputs = { [property: string]: Json };

/**
 * The outputs of a resource: what the program wrote, as it wrote it, where the service still says so; what
 * the service says, everywhere else; and the records.
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
  const property = recordedAs(definition, field);
  const written = writtenForm(definition, property, inputs);
  if (written !== undefined) {
    return written.field.name === name ? driftedForm(property, written, inputs, records) : undefined;
  }
  if (property !== field) return undefined;
  const answered = asWritten(field, decode(field, memberFor(definition, field, body)));
  // Indexes and tokens are text, so that none is ever rounded.
  return typeof answered === "number" && isText(field) ? String(answered) : answered;
}

/** What the program wrote, in its own form, with the parts that others moved as they are now. */
function driftedForm(
  property: Field,
  { field, value }: WrittenForm,
  inputs: Outputs,
  { settled, seen }: Records,
) {
  const [before, now] = [settled[property.name], seen[property.name]];
  const written = inputs[field.name];
  if (written === undefined || same(before, now)) return written;
  return driftedValue(field, { written, read: known(value), settled: before, seen: now }, inputs);
}

function isText({ schema }: Field): boolean {
  return unwrapped(schema) instanceof z.ZodString;
}

/** The inputs that a program would have to write for the service to be as it was seen: theirs where they moved, ours elsewhere. */
export function driftedInputs(definition: DefinitionBase, records: Records): Outputs {
  const inputs: Outputs = {};
  const applied = { ...records.applied };
  for (const field of fieldsOf(definition)) {
    const written = records.applied[field.name];
    if (written === undefined) continue;
    const { facts, name } = field;
    const isRead = isCompared(facts) && !isAddress(facts);
    const property = recordedAs(definition, field);
    const form = isRead ? writtenForm(definition, property, records.applied) : undefined;
    const value = form?.field.name === name ? driftedForm(property, form, applied, records) : written;
    if (value !== undefined && value !== null) inputs[name] = value;
  }
  for (const { rival, field, value } of rivalsHeld(definition, applied, records.settled, records.seen)) {
    const [name = "", inside] = rival.split(".");
    const written = asWritten(field, value) ?? null;
    const parent = inputs[name];
    if (inside === undefined) inputs[name] = written;
    else if (isObject(parent)) inputs[name] = { ...parent, [inside]: written };
  }
  return withAside(inputs, asideOf(records.applied));
}

/** What a resource knows of its documents, beside what their facts say: see `Reads`. */
interface Usual {
  readonly leavesOut?: ((document: Json, written?: Json) => Json) | undefined;
}

/** Integers beyond 2^53 are text in outputs: Pulumi's numbers are doubles. */
function withoutBigints(value: Json): Json {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(withoutBigints);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutBigints(part)]));
}

/**
 * The inputs of a program that would be quiet for an object that was only read: every property that it has, as it is,
 * but for what no program should write any more.
 * @param usual leaves out of its documents, too, what says no more than leaving it out
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
    if (value === undefined || value === null) continue;
    const plain =
      asWritten(field, usual ? ordinaryOf(definition, field, plainOf(value), usual) : plainOf(value)) ?? null;
    if (facts.role !== "identity" && isRestored(field, value)) continue;
    inputs[name] = withoutRestored(field, plain, value);
  }
  return withoutComputed(definition, inputs);
}

/** Whether an update that leaves the property out restores this value. */
function isRestored(field: Field, value: Value): boolean {
  const restored = restoredValue(field);
  return !field.required && restored !== undefined && same(restored, value);
}

/** A structure without the members that it has by default. */
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
 * A model whose documents are without what the service is known to put in by itself, and what says nothing.
 * @param written what the program writes, if it decides what leaving out a member comes to
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
        canonicalField(
          asAnswered(field),
          ordinaryOf(definition, field, plainOf(value), usual, written[field.name]),
        ),
      ] as const,
    ];
  });
  return { ...model, ...Object.fromEntries(documents) };
}

/** A document without what nobody would write of it; any other value as it is. */
function ordinaryOf(
  { service }: DefinitionBase,
  { facts, schema }: Field,
  value: Json,
  usual: Usual,
  written?: Json,
): Json {
  if (facts.document === undefined) return value;
  const own = usual.leavesOut?.(value, written) ?? value;
  return withoutOrdinary(own, facts.document, requiredIn(schema, service.naming));
}
