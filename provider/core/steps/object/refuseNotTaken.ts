import { isHollow } from "../../compare/entries";
import { missingPaths } from "../../compare/missing";
import type { HttpAnswer } from "../../http/request";
import { AdvisedError, edited, upAgain, type WayOn } from "../../http/waysOn";
import { type DefinitionBase, fieldNamed, fieldsOf } from "../../language/fields";
import type { Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import { notTakenBy } from "../../requests/middleware/warnings";
import type { Records } from "../../state/records";
import type { Unfinished } from "./found";
import { appliedSoFar } from "./links";
import { partial } from "./partial";

/** The properties that the program writes, and of which the service says that it did not take them as they were sent. */
export function propertiesNotTaken(definition: DefinitionBase, inputs: Values, answer: HttpAnswer): string[] {
  const notTaken = new Set(notTakenBy(answer));
  return fieldsOf(definition)
    .filter(({ name, wire }) => notTaken.has(wire) && inputs[name] !== undefined)
    .map(({ name }) => name);
}

/** What to do about properties that a service does not take. */
export function waysWithout(names: readonly string[]): WayOn[] {
  return [
    edited(`take ${names.join(" and ")} out of the program, where this server does not know it`),
    upAgain(", once it does"),
  ];
}

/**
 * What the service says that it ignored, and does not show as written all the same, was not written. It is not on record as
 * written, so that it stays a change until the program drops it, or the service takes it.
 * @param records the records as they are after the write
 * @throws PartialError where that is anything that the program writes
 */
export function refuseNotTaken(
  context: ObjectContext,
  work: Unfinished,
  records: Records,
  { answer, read }: { readonly answer: HttpAnswer; readonly read: Observation },
): void {
  const { definition } = context;
  const lacking = new Set(missingPaths(definition, work.inputs, read).map(([name]) => name));
  const names = propertiesNotTaken(definition, work.inputs, answer).filter(
    (name) => lacking.has(name) || isWrittenUnseen(definition, work.inputs, name),
  );
  if (names.length === 0) return;
  const reason = new AdvisedError(
    `${context.name(records.address)}: the service took the write, and says that it ignored ${names.join(", ")}; everything else is written.`,
    waysWithout(names),
  );
  const applied = appliedSoFar(definition, work, new Set(names));
  throw partial(context, { ...records, applied, unfinished: reason.message }, applied, read.body, reason);
}

function isWrittenUnseen(definition: Definition, inputs: Values, name: string): boolean {
  const field = fieldNamed(definition, name);
  return field?.facts.writeOnly !== undefined && !isHollow(field, inputs[name]);
}
