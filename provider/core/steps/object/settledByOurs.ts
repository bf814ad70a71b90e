import { differencesIn, elementKey } from "../../compare/comparison";
import { isAdditive, isHollow } from "../../compare/entries";
import { formsIn } from "../../compare/forms";
import { type Model, modelOfBody, modelOfInputs } from "../../compare/model";
import { fieldsOf } from "../../language/fields";
import type { Observation } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import { isLink } from "../../language/role";
import { isNeverRead } from "../../state/records";
import { isObject, type Json } from "../../value/json";
import type { Unfinished } from "./found";

/**
 * The settled model after a write to a service without check-and-set: what was sent, by the answer to it; a link as it was
 * written; and what was not sent as it was seen before. Whatever a read shows beside that is somebody else's, and has to
 * show as drift.
 * @param answered the object by the main write's own answer, where that holds it; else as it was read back
 * @param read the object as it was read back
 */
export function settledByOurs(
  { definition }: ObjectContext,
  { records, inputs, changes }: Unfinished,
  { answered, read }: { answered: Observation["body"]; read: Model },
): Model {
  const isFirst = isNeverRead(records);
  const sent = new Set(changes.map(({ field }) => field.name));
  const desired = modelOfInputs(definition, inputs);
  const answer = modelOfBody(definition, answered, inputs);
  // What is replaced as a whole carries every property: one that came back as written is the answer to that, too.
  const isAlong = sent.size > 0 && definition.life.writes.sends === "whole";
  const others = new Set(
    differencesIn(definition, desired, answer, formsIn(definition, inputs))
      .filter(({ field, path, from, to }) =>
        [from, to].some((value) => !isHollow(field, value, path.slice(1))),
      )
      .map(({ path: [name] }) => name),
  );
  const entries = fieldsOf(definition).flatMap((field) => {
    const { name, facts } = field;
    const isBack = isAlong && desired[name] !== undefined && !others.has(name);
    const isSent = isFirst || sent.has(name) || (isBack && !isLink(facts));
    if (!isLink(facts)) return [[name, isSent ? answer[name] : records.seen[name]] as const];
    if (isAdditive(field, inputs))
      return [[name, isSent ? withOurs(read[name], desired[name]) : read[name]] as const];
    return [[name, isSent ? desired[name] : (records.seen[name] ?? read[name])] as const];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** What is there, others' included, and what we wrote, should somebody have taken it out again. */
function withOurs(read: Json | undefined, ours: Json | undefined): Json | undefined {
  if (isObject(read) && isObject(ours)) return { ...read, ...ours };
  if (!Array.isArray(read) || !Array.isArray(ours)) return read ?? ours;
  const there = new Set(read.map(elementKey));
  return [...read, ...ours.filter((element) => !there.has(elementKey(element)))];
}
