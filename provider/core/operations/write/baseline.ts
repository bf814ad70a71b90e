import { type Difference, differencesIn, elementKey } from "../../compare/comparison";
import { isAdditive, isDeepEmpty } from "../../compare/entries";
import { formsIn } from "../../compare/forms";
import { type Model, modelOfBody, modelOfInputs } from "../../compare/model";
import { predicted } from "../../compare/response";
import { fieldsOf } from "../../language/fields";
import type { KnownInputs, Observation } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import { isLink } from "../../language/role";
import { isNeverObserved } from "../../state/records";
import { isObject, type Json } from "../../value/json";
import type { PostWrite } from "./result";

/** The expected result of a write, and the differences from it that the service or someone else has caused. */
export interface Prediction {
  readonly expected: Model;
  readonly unexplained: readonly Difference[];
}

/**
 * Compares an object with the expected result of a write.
 * @param baseline the baseline before the write
 */
export function compareWithPrediction(
  definition: Definition,
  inputs: KnownInputs,
  baseline: Model,
  { body, address }: Observation,
): Prediction {
  const seen = modelOfBody(definition, body, inputs);
  const expected = predicted(definition, inputs, baseline, seen, address);
  // A service may omit what is empty, or show it. Neither proves another writer.
  const unexplained = differencesIn(definition, expected, seen, formsIn(definition, inputs)).filter(
    isVisible,
  );
  return { expected, unexplained };
}

function isVisible({ field, path, from, to }: Difference): boolean {
  return [from, to].some((value) => !isDeepEmpty(field, value, path.slice(1)));
}

/**
 * The baseline after a write to a service without check-and-set: the sent properties by the response, links as written, and
 * all others as observed before. Any other value in a read was set by someone else, and shows as drift.
 * @param answered the object by the response to the main write, if that contains it; otherwise as read back
 * @param read the object as read back
 */
export function baselineAfterWrite(
  { definition }: ObjectContext,
  { records, inputs, changes }: PostWrite,
  { answered, read }: { answered: Observation["body"]; read: Model },
): Model {
  const isFirst = isNeverObserved(records);
  const sent = new Set(changes.map(({ field }) => field.name));
  const desired = modelOfInputs(definition, inputs);
  const answer = modelOfBody(definition, answered, inputs);
  // An update that replaces the whole object sends every property. One that came back as written is the result of it, too.
  const isWhole = sent.size > 0 && definition.life.writes.sends === "whole";
  const differing = new Set(
    differencesIn(definition, desired, answer, formsIn(definition, inputs))
      .filter(isVisible)
      .map(({ path: [name] }) => name),
  );
  const entries = fieldsOf(definition).flatMap((field) => {
    const { name, facts } = field;
    const isBack = isWhole && desired[name] !== undefined && !differing.has(name);
    const isSent = isFirst || sent.has(name) || (isBack && !isLink(facts));
    if (!isLink(facts)) return [[name, isSent ? answer[name] : records.observed[name]] as const];
    if (isAdditive(field, inputs))
      return [[name, isSent ? withOurs(read[name], desired[name]) : read[name]] as const];
    return [[name, isSent ? desired[name] : (records.observed[name] ?? read[name])] as const];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The observed elements, and the written ones that someone has removed again. */
function withOurs(read: Json | undefined, ours: Json | undefined): Json | undefined {
  if (isObject(read) && isObject(ours)) return { ...read, ...ours };
  if (!Array.isArray(read) || !Array.isArray(ours)) return read ?? ours;
  const there = new Set(read.map(elementKey));
  return [...read, ...ours.filter((element) => !there.has(elementKey(element)))];
}
