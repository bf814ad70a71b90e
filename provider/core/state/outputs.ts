import { z } from "zod";
import { isAdditive } from "../compare/additive";
import { plainOf, withoutNothing, withValueAt } from "../compare/document";
import { recordedAs, type Written, writtenForm } from "../compare/forms";
import { leavesThatDiffer, member } from "../compare/leaves";
import { canonicalField, decode, type Model, memberFor } from "../compare/model";
import type { DocumentFacts } from "../language/facts";
import { type Field, fieldsOf, unwrapped } from "../language/fields";
import type { Observation } from "../language/object";
import type { Described } from "../language/specified";
import { asideOf, withAside } from "../value/aside";
import { same } from "../value/equality";
import { formatJson, isObject, type Json } from "../value/json";
import { known } from "../value/unknown";
import { formatRecord, RECORD, type Record3 } from "./records";

type Values = { [property: string]: Json };

/**
 * The outputs of a resource: what the program wrote, as it wrote it, where the service still says so; what
 * the service says, everywhere else; and the records.
 */
export function outputsOf(
  definition: Described,
  inputs: Values,
  record: Record3,
  body: Observation["body"],
): Values {
  const outputs: Values = {};
  for (const field of fieldsOf(definition)) {
    const value = outputOf(definition, field, inputs, record, body);
    if (value !== undefined && value !== null) outputs[field.name] = withoutBigints(value);
  }
  outputs[RECORD] = formatRecord(record);
  return outputs;
}

function outputOf(
  definition: Described,
  field: Field,
  inputs: Values,
  record: Record3,
  body: Observation["body"],
) {
  const { facts, name } = field;
  if (facts.local || facts.writeOnly) return inputs[name];
  if (facts.identity || facts.place === "address") return record.address[name] ?? inputs[name];
  const property = recordedAs(definition, field);
  const written = writtenForm(definition, property, inputs);
  if (written !== undefined) {
    return written.field.name === name ? driftedForm(property, written, inputs, record) : undefined;
  }
  if (property !== field) return undefined;
  const answered = asWritten(field, decode(field, memberFor(definition, field, body)));
  // Indexes and tokens are text, so that none is ever rounded.
  return typeof answered === "number" && isText(field) ? String(answered) : answered;
}

/** What the program wrote, in its own form, with the parts that others moved as they are now. */
function driftedForm(property: Field, { field, value }: Written, inputs: Values, { settled, seen }: Record3) {
  const [before, now] = [settled[property.name], seen[property.name]];
  const written = inputs[field.name];
  if (written === undefined || same(before, now)) return written;
  return driftedValue(field, { written, read: known(value) }, before, now, inputs);
}

/** A canonical value as a program would write it. */
function asWritten({ facts }: Field, value: Json | undefined): Json | undefined {
  return value === undefined || value === null ? value : (facts.spelling?.restore?.(value) ?? value);
}

function isText({ schema }: Field): boolean {
  return unwrapped(schema) instanceof z.ZodString;
}

/** The inputs that a program would have to write for the service to be as it was seen: theirs where they moved, ours elsewhere. */
export function driftedInputs(definition: Described, record: Record3): Values {
  const inputs: Values = {};
  const applied = { ...record.applied };
  for (const field of fieldsOf(definition)) {
    const written = record.applied[field.name];
    if (written === undefined) continue;
    const { facts, name } = field;
    const isCompared = !facts.local && !facts.writeOnly && !facts.identity && facts.place !== "address";
    const property = recordedAs(definition, field);
    const form = isCompared ? writtenForm(definition, property, record.applied) : undefined;
    const value = form?.field.name === name ? driftedForm(property, form, applied, record) : written;
    if (value !== undefined && value !== null) inputs[name] = value;
  }
  return withAside(inputs, asideOf(record.applied));
}

/** What a program wrote, and what that says where only the service could read it; else the same. */
interface Source {
  readonly written: Json;
  readonly read: Json;
}

/** What the program wrote, with the parts that others moved as they are now. */
function driftedValue(
  field: Field,
  source: Source,
  settled: Json | undefined,
  seen: Json | undefined,
  inputs: Values,
): Json | undefined {
  const { written } = source;
  if (same(settled, seen)) return written;
  const { facts } = field;
  if (facts.document) return driftedDocument(field, source, settled, seen);
  if (field.children && isObject(written) && isObject(seen)) {
    const members: Values = {};
    for (const child of field.children) {
      const own = written[child.name];
      if (own === undefined) continue;
      const inside = { written: own, read: own };
      const value = driftedValue(child, inside, member(settled, child.name), seen[child.name], inputs);
      if (value !== undefined) members[child.name] = value;
    }
    return members;
  }
  if (facts.additive && Array.isArray(written)) {
    const listed = Array.isArray(seen) ? seen : [];
    return driftedSet(field, written, listed, isAdditive(field, inputs));
  }
  if (facts.unordered && Array.isArray(seen)) {
    const own = facts.spelling?.canonical(written) ?? written;
    // Where order means nothing, it is the program's.
    if (Array.isArray(own)) return driftedSet(field, own, seen, false);
  }
  return seen ?? facts.empty ?? undefined;
}

/** What is still there of what was written, in its spelling, and what others added where that is managed too. */
function driftedSet(field: Field, written: readonly Json[], seen: readonly Json[], isOpen: boolean): Json[] {
  const there = new Set(seen.map((element) => JSON.stringify(element)));
  const own = written.map((element) => [element, JSON.stringify(canonicalElement(field, element))] as const);
  const known = new Set(own.map(([, key]) => key));
  return [
    ...own.filter(([, key]) => there.has(key)).map(([element]) => element),
    ...(isOpen ? [] : seen.filter((element) => !known.has(JSON.stringify(element)))),
  ];
}

function canonicalElement(field: Field, element: Json): Json | undefined {
  const list = canonicalField(field, [element]);
  return Array.isArray(list) ? list[0] : element;
}

/** Text stays text, laid out as it was, so that an engine can show what moved inside it. */
function driftedDocument(
  field: Field,
  { written, read }: Source,
  settled: Json | undefined,
  seen: Json | undefined,
): Json {
  const facts = field.facts.document ?? {};
  const before = field.facts.spelling?.canonical(read) ?? read;
  const after = leavesThatDiffer(settled, seen, []).reduce<Json | undefined>(
    (document, { path, to }) => withValueAt(document, path, to, facts),
    before,
  );
  return typeof written === "string"
    ? formatJson(shownFor(after ?? {}, read !== written, facts), written.includes("\n") ? 2 : undefined)
    : (asWritten(field, after) ?? {});
}

/** What a service read in a text names every member there is: those that say nothing are not for people. */
function shownFor(document: Json, isReading: boolean, facts: DocumentFacts): Json {
  return isReading ? withoutNothing(document, facts) : document;
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
 */
export function inputsFromObservation(
  definition: Described,
  seen: Model,
  address: Record3["address"],
): Values {
  const inputs: Values = {};
  for (const field of fieldsOf(definition)) {
    const { facts, name } = field;
    if (facts.serverOwned || facts.local || facts.writeOnly || facts.formOf !== undefined) continue;
    if (facts.deprecated !== undefined) continue;
    const value = facts.identity || facts.place === "address" ? address[name] : seen[name];
    if (value === undefined || value === null) continue;
    const plain = asWritten(field, plainOf(value)) ?? null;
    const restored = facts.default ?? facts.empty;
    if (
      !facts.identity &&
      !field.required &&
      restored !== undefined &&
      same(canonicalKnown(field, restored), value)
    )
      continue;
    inputs[name] = plain;
  }
  return inputs;
}

function canonicalKnown(field: Field, value: Json): Json | undefined {
  return canonicalField(field, value);
}
