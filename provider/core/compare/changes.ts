import { type Field, fieldsOf } from "../language/fields";
import type { Described } from "../language/specified";
import { isEmpty } from "../value/empty";
import { same, sameInDocument } from "../value/equality";
import { isObject } from "../value/json";
import { isNamed, type Path } from "../value/path";
import { UNKNOWN, type Value } from "../value/unknown";
import { isAdditive } from "./additive";
import { standsAside } from "./forms";
import { restoredValue } from "./restored";
import { type At, atField, elementsOf, memberAt, type Standing } from "./standing";

/** One difference between what is and what the program wants. */
export interface Change {
  readonly path: Path;
  readonly field: Field;
  readonly kind: "add" | "update" | "delete";
  /** Who made it: the program was edited, or somebody moved the object. */
  readonly cause: "program" | "drift";
  /** What the service holds, as last seen. */
  readonly from: Value | undefined;
  /** What it shall hold. */
  readonly to: Value | undefined;
}

/**
 * What an update has to change. A path is changed where the program was edited or the service has moved since
 * our last write, unless the service already holds what the program wants.
 */
export function changesIn(definition: Described, standing: Standing): Change[] {
  return fieldsOf(definition).flatMap((field) => {
    if (field.facts.identity || field.facts.serverOwned || standsAside(definition, field)) return [];
    const form = standing.forms?.get(field.name) ?? field;
    const at = atField(standing, field.name);
    if (at.desired === UNKNOWN && definition.serviceText?.property === form.name && standing.unread)
      return standing.unread.map((part) => change(part, [part.name], at.seen, UNKNOWN, "program"));
    return changesOf(form, [form.name], at, standing);
  });
}

function changesOf(field: Field, path: Path, at: At, standing: Standing): Change[] {
  if (at.applied === undefined && at.desired === undefined) return [];
  const { facts } = field;
  if (facts.local || facts.writeOnly) {
    return same(at.applied, at.desired) ? [] : [change(field, path, at.applied, at.desired, "program")];
  }
  if (at.desired === UNKNOWN) return [change(field, path, at.seen, UNKNOWN, "program")];
  if (at.desired === undefined) return removal(field, path, at);
  if (facts.document) return documentChanges(field, path, at);
  if (facts.additive)
    return isAdditive(field, standing.desired)
      ? additiveChanges(field, path, at)
      : exclusiveChanges(field, path, at, isAdditive(field, standing.applied));
  if (field.children && isObject(at.desired)) return childChanges(field, path, at, standing);
  if (same(at.desired, at.seen)) return [];
  const edited = !same(at.applied, at.desired);
  if (!edited && same(at.settled, at.seen)) return [];
  return [change(field, path, at.seen, at.desired, edited ? "program" : "drift")];
}

/** The program dropped the property: the default, else the service's empty value, is restored; else the value stays. */
function removal(field: Field, path: Path, at: At): Change[] {
  if (field.facts.stays) return [];
  const restored = restoredValue(field);
  // A program that no longer says anything lets go of what it wrote, and of nothing else.
  if (field.facts.additive)
    return additiveChanges(field, path, { ...at, desired: isObject(at.applied) ? {} : [] });
  return same(restored, at.seen) ? [] : [change(field, path, at.seen, restored, "program")];
}

function childChanges(field: Field, path: Path, at: At, standing: Standing): Change[] {
  if (isEmpty(at.seen) && !isEmpty(at.desired)) {
    const edited = !same(at.applied, at.desired);
    if (!edited && isEmpty(at.settled)) return [];
    return [change(field, path, undefined, at.desired, edited ? "program" : "drift")];
  }
  return (field.children ?? []).flatMap((child) =>
    changesOf(child, [...path, child.name], memberAt(at, child.name), standing),
  );
}

function additiveChanges(field: Field, path: Path, at: At): Change[] {
  const applied = elementsOf(at.applied);
  const desired = elementsOf(at.desired);
  const seen = elementsOf(at.seen);
  const missing = [...desired].filter(([key, value]) => !seen.has(key) || !same(seen.get(key), value));
  const dropped = [...applied].filter(([key]) => !desired.has(key) && seen.has(key));
  if (missing.length === 0 && dropped.length === 0) return [];
  const wanted = new Map(seen);
  for (const [key] of dropped) wanted.delete(key);
  for (const [key, value] of missing) wanted.set(key, value);
  const to = isObject(at.desired) ? Object.fromEntries(wanted) : [...wanted.values()];
  const cause = same(at.applied, at.desired) ? "drift" : "program";
  return [change(field, path, at.seen, to, cause)];
}

/** The program asks for exactly this: whatever else the service holds is to go, whoever put it there. */
function exclusiveChanges(field: Field, path: Path, at: At, wasAdditive: boolean): Change[] {
  if (same(at.desired, at.seen)) return [];
  const edited = wasAdditive || !same(at.applied, at.desired);
  return [change(field, path, at.seen, at.desired, edited ? "program" : "drift")];
}

/** A document is managed whole: what the program left out and others added is put back too. */
function documentChanges(field: Field, path: Path, at: At): Change[] {
  const { applied: a, desired: n, settled: s, seen: c } = at;
  if (n === UNKNOWN) return [change(field, path, c, UNKNOWN, "program")];
  if ([a, n, s, c].some(isObject) && [a, n, s, c].every((value) => value === undefined || isObject(value))) {
    const names = new Set([n, a, s, c].flatMap((value) => Object.keys(value ?? {})));
    const inside = [...names].flatMap((name) => documentChanges(field, [...path, name], memberAt(at, name)));
    return inside.length === 0 && isNamed(field.facts.document?.blocks, path.slice(1))
      ? blockChanges(field, path, at)
      : inside;
  }
  if (sameInDocument(n, c)) return [];
  const edited = !sameInDocument(a, n);
  const moved = !sameInDocument(s, c);
  const isExtra = field.facts.document?.exact === true && n === undefined;
  if (!edited && !moved && !isExtra) return [];
  const to = n ?? (edited || isExtra ? undefined : s);
  return [change(field, path, c, to, edited || !moved ? "program" : "drift")];
}

/** A block speaks by being there, where nothing inside of it tells that it came or went. */
function blockChanges(
  field: Field,
  path: Path,
  { applied: a, desired: n, settled: s, seen: c }: At,
): Change[] {
  if (isObject(n) === isObject(c)) return [];
  const edited = isObject(a) !== isObject(n);
  if (!edited && isObject(s) === isObject(c)) return [];
  const kind = isObject(n) ? "add" : "delete";
  return [{ path, field, kind, cause: edited ? "program" : "drift", from: c, to: n }];
}

function change(
  field: Field,
  path: Path,
  from: Value | undefined,
  to: Value | undefined,
  cause: Change["cause"],
): Change {
  const kind = isEmpty(from) ? "add" : isEmpty(to) ? "delete" : "update";
  return { path, field, kind, cause, from, to };
}
