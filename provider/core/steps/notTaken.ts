import type { HttpAnswer } from "../http/request";
import { edited, upAgain, type WayOn } from "../http/waysOn";
import { type DefinitionBase, fieldsOf } from "../language/fields";
import type { Values } from "../language/object";
import { notTakenBy } from "../requests/middleware/warnings";

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
