import { type Field, fieldsOf } from "../language/fields";
import type { Definition } from "../language/resource";
import { isCompared } from "../language/role";
import { isEmpty } from "../value/empty";
import { same, sameInDocument } from "../value/equality";
import { isObject } from "../value/json";
import type { Path } from "../value/path";
import type { Value } from "../value/unknown";
import { isAdditive } from "./additive";
import type { Model } from "./model";
import { restoredValue } from "./restored";
import { type At, atField, elementsOf, memberAt, memberOf, type Standing } from "./standing";

/** One managed path that somebody else moved between two reads. */
export interface Movement {
  readonly path: Path;
  readonly field: Field;
  readonly base: Value | undefined;
  readonly theirs: Value | undefined;
  readonly ours: Value | undefined;
}

/**
 * Which managed paths somebody else moved between two reads. Paths that nobody manages are not told; neither
 * are those that now hold what the program wants.
 */
export function movementsIn(definition: Definition, standing: Standing, current: Model): Movement[] {
  return fieldsOf(definition).flatMap((field) => {
    const { facts, name } = field;
    if (!isCompared(facts)) return [];
    const form = standing.forms?.get(name) ?? field;
    return movementsOf(form, [form.name], atField(standing, name), current[name], standing);
  });
}

function movementsOf(
  field: Field,
  path: Path,
  at: At,
  current: Value | undefined,
  standing: Standing,
): Movement[] {
  if (at.applied === undefined && at.desired === undefined) return [];
  if (field.facts.document) return documentMovements(field, path, at, current);
  if (isAdditive(field, standing.desired)) return additiveMovements(field, path, at, current);
  if (field.children) {
    if (isEmpty(at.seen) !== isEmpty(current)) return moved(field, path, at, current);
    return field.children.flatMap((child) =>
      movementsOf(
        child,
        [...path, child.name],
        memberAt(at, child.name),
        memberOf(current, child.name),
        standing,
      ),
    );
  }
  return moved(field, path, at, current);
}

function moved(field: Field, path: Path, at: At, theirs: Value | undefined): Movement[] {
  const ours = at.desired === undefined ? restoredValue(field) : at.desired;
  if (same(at.seen, theirs) || same(ours, theirs)) return [];
  return [{ path, field, base: at.seen, ours, theirs }];
}

function additiveMovements(field: Field, path: Path, at: At, current: Value | undefined): Movement[] {
  const managed = new Set([...elementsOf(at.applied).keys(), ...elementsOf(at.desired).keys()]);
  const only = (value: Value | undefined) => [...elementsOf(value)].filter(([key]) => managed.has(key));
  const [seen, theirs, ours] = [only(at.seen), only(current), only(at.desired)].map((part) =>
    Object.fromEntries(part),
  );
  if (same(seen, theirs) || same(ours, theirs)) return [];
  return [{ path, field, base: at.seen, ours: at.desired, theirs: current }];
}

function documentMovements(field: Field, path: Path, at: At, current: Value | undefined): Movement[] {
  const { applied: a, desired: n, settled: s, seen: c } = at;
  // What the program drops, and others took away, is just as it shall be.
  if (isObject(a) && n === undefined && current === undefined) return [];
  const all = [n, c, current];
  if (all.some(isObject) && all.every((value) => value === undefined || isObject(value))) {
    const names = new Set([c, current].flatMap((value) => Object.keys(value ?? {})));
    return [...names].flatMap((name) =>
      documentMovements(field, [...path, name], memberAt(at, name), memberOf(current, name)),
    );
  }
  if (sameInDocument(c, current)) return [];
  const ours = n ?? (a === undefined ? s : undefined);
  return sameInDocument(ours, current) ? [] : [{ path, field, base: c, ours, theirs: current }];
}
