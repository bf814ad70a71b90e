import { fieldNamed } from "../../language/fields";
import { segmentsOf } from "../../language/ignored";
import type { AnyDefinition } from "../../language/resource";
import { isShown, isSteering } from "../../language/role";
import type { Problem } from "../../language/rules";
import { isSecretPathExactly } from "../../state/secrets";
import { equalJson, type Json } from "../../value/json";
import { type Path, valueAt } from "../../value/path";
import type { Inputs } from "../../value/unknown";
import { type Bag, withoutAside } from "../asideProperty";
import { keptIn } from "../kept";

/**
 * The inputs of an object that was found by its id, without what is secret: the engine prints them, as the program that
 * it proposes.
 */
export function shownInputs(definition: AnyDefinition, inputs: Bag): Bag {
  const isKept = keptIn(definition, inputs, {});
  return withoutParts(inputs, [], isKept);
}

function withoutParts(members: Bag, path: Path, isKept: (path: Path, value: unknown) => boolean): Bag {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => {
      const at = [...path, name];
      return isKept(at, value) ? [] : [[name, withoutIn(value, at, isKept)]];
    }),
  );
}

function withoutIn(value: unknown, path: Path, isKept: (path: Path, value: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((part, index) => withoutIn(part, [...path, index], isKept));
  return typeof value === "object" && value !== null ? withoutParts(value as Bag, path, isKept) : value;
}

/**
 * Whether a check is one of what was just found by its id: an engine that imports checks what it read against itself. What
 * the service never shows, or what is not printed, is then not there yet, and no failure.
 */
export function isAsRead(olds: Bag, news: Bag): boolean {
  // JSON and marks' values are all that is left of a message.
  const [before, now] = [olds, news].map((bag) => withoutAside(bag) as { [name: string]: Json });
  return Object.keys(olds).length > 0 && equalJson(before, now);
}

/** Whether a value is missing that nobody could have read: it is secret, or its service never shows it. */
export function isUnreadable(definition: AnyDefinition, inputs: Inputs, { path }: Problem): boolean {
  const at = segmentsOf(path);
  const field = fieldNamed(definition, at[0]);
  if (field === undefined || (valueAt(inputs, at) ?? null) !== null) return false;
  return (!isShown(field.facts) && !isSteering(field.facts)) || isSecretPathExactly(definition, inputs, at);
}
