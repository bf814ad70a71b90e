import type { Definition, Field } from "./define";
import { fieldsOf } from "./define";
import { plainOf } from "./document";
import { equalJson, isObject, type Json, ownMember } from "./json";
import { canonicalField, isEmpty, type Model } from "./model";
import { matches, type Path } from "./path";
import { hasUnknown, UNKNOWN, type Value } from "./unknown";

/** What a comparison stands on. All four are canonical. */
export interface Standing {
  /** What the program wrote at our last write. */
  readonly applied: Model;
  /** What it writes now; it may hold unknown values in a preview. */
  readonly desired: Readonly<Record<string, Value | undefined>>;
  /** The service's answer to our last write. */
  readonly settled: Model;
  /** The service's latest answer. */
  readonly seen: Model;
}

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

/** One managed path that somebody else moved between two reads. */
export interface Movement {
  readonly path: Path;
  readonly field: Field;
  readonly base: Value | undefined;
  readonly theirs: Value | undefined;
  readonly ours: Value | undefined;
}

/**
 * What an update has to change. A path is changed where the program was edited or the service has moved since
 * our last write, unless the service already holds what the program wants.
 */
export function changesIn(definition: Definition, standing: Standing): Change[] {
  return fieldsOf(definition).flatMap((field) =>
    field.facts.identity || field.facts.serverOwned
      ? []
      : changesOf(field, [field.name], {
          applied: standing.applied[field.name],
          desired: standing.desired[field.name],
          settled: standing.settled[field.name],
          seen: standing.seen[field.name],
        }),
  );
}

interface At {
  readonly applied: Value | undefined;
  readonly desired: Value | undefined;
  readonly settled: Value | undefined;
  readonly seen: Value | undefined;
}

function changesOf(field: Field, path: Path, at: At): Change[] {
  if (at.applied === undefined && at.desired === undefined) return [];
  const { facts } = field;
  if (facts.local || facts.writeOnly) {
    return same(at.applied, at.desired) ? [] : [change(field, path, at.applied, at.desired, "program")];
  }
  if (at.desired === UNKNOWN) return [change(field, path, at.seen, UNKNOWN, "program")];
  if (at.desired === undefined) return removal(field, path, at);
  if (facts.document) return documentChanges(field, path, at);
  if (facts.additive) return additiveChanges(field, path, at);
  if (field.children && isObject(at.desired)) return childChanges(field, path, at);
  if (same(at.desired, at.seen)) return [];
  const edited = !same(at.applied, at.desired);
  if (!edited && same(at.settled, at.seen)) return [];
  return [change(field, path, at.seen, at.desired, edited ? "program" : "drift")];
}

/** The program dropped the property: the default, else the service's empty value, is restored; else the value stays. */
function removal(field: Field, path: Path, at: At): Change[] {
  if (field.facts.stays) return [];
  const restored = restoredValue(field);
  if (field.facts.additive)
    return additiveChanges(field, path, { ...at, desired: isObject(at.applied) ? {} : [] });
  return same(restored, at.seen) ? [] : [change(field, path, at.seen, restored, "program")];
}

/** What a property goes back to when the program drops it. */
export function restoredValue(field: Field): Json | undefined {
  const value = field.facts.default ?? field.facts.empty;
  const canonical = value === undefined ? undefined : canonicalField(field, value);
  // A definition's own default holds no unknown.
  return canonical as Json | undefined;
}

function childChanges(field: Field, path: Path, at: At): Change[] {
  if (isEmpty(at.seen) && !isEmpty(at.desired)) {
    const edited = !same(at.applied, at.desired);
    if (!edited && isEmpty(at.settled)) return [];
    return [change(field, path, undefined, at.desired, edited ? "program" : "drift")];
  }
  return (field.children ?? []).flatMap((child) =>
    changesOf(child, [...path, child.name], {
      applied: memberOf(at.applied, child.name),
      desired: memberOf(at.desired, child.name),
      settled: memberOf(at.settled, child.name),
      seen: memberOf(at.seen, child.name),
    }),
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

/** The elements of a list, or the members of a map, each under a key. */
function elementsOf(value: Value | undefined): Map<string, Value> {
  if (Array.isArray(value)) return new Map(value.map((element) => [JSON.stringify(element), element]));
  return new Map(isObject(value) ? Object.entries(value) : []);
}

/** A document is managed whole: what the program left out and others added is put back too. */
function documentChanges(field: Field, path: Path, at: At): Change[] {
  const { applied: a, desired: n, settled: s, seen: c } = at;
  if (n === UNKNOWN) return [change(field, path, c, UNKNOWN, "program")];
  if ([a, n, s, c].some(isObject) && [a, n, s, c].every((value) => value === undefined || isObject(value))) {
    const names = new Set([n, a, s, c].flatMap((value) => Object.keys(value ?? {})));
    return [...names].flatMap((name) =>
      documentChanges(field, [...path, name], {
        applied: memberOf(a, name),
        desired: memberOf(n, name),
        settled: memberOf(s, name),
        seen: memberOf(c, name),
      }),
    );
  }
  if (sameInDocument(n, c)) return [];
  const edited = !sameInDocument(a, n);
  const moved = !sameInDocument(s, c);
  if (!edited && !moved) return [];
  return [change(field, path, c, n ?? (moved && !edited ? s : undefined), edited ? "program" : "drift")];
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

/**
 * Which managed paths somebody else moved between two reads. Paths that nobody manages are not told; neither
 * are those that now hold what the program wants.
 */
export function movementsIn(definition: Definition, standing: Standing, current: Model): Movement[] {
  return fieldsOf(definition).flatMap((field) => {
    const { facts, name } = field;
    if (facts.identity || facts.serverOwned || facts.local || facts.writeOnly) return [];
    return movementsOf(
      field,
      [name],
      {
        applied: standing.applied[name],
        desired: standing.desired[name],
        settled: standing.settled[name],
        seen: standing.seen[name],
      },
      current[name],
    );
  });
}

function movementsOf(field: Field, path: Path, at: At, current: Value | undefined): Movement[] {
  if (at.applied === undefined && at.desired === undefined) return [];
  if (field.facts.document) return documentMovements(field, path, at, current);
  if (field.facts.additive) return additiveMovements(field, path, at, current);
  if (field.children) {
    if (isEmpty(at.seen) !== isEmpty(current)) return moved(field, path, at, current);
    return field.children.flatMap((child) =>
      movementsOf(
        child,
        [...path, child.name],
        {
          applied: memberOf(at.applied, child.name),
          desired: memberOf(at.desired, child.name),
          settled: memberOf(at.settled, child.name),
          seen: memberOf(at.seen, child.name),
        },
        memberOf(current, child.name),
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
  const all = [n, c, current];
  if (all.some(isObject) && all.every((value) => value === undefined || isObject(value))) {
    const names = new Set([c, current].flatMap((value) => Object.keys(value ?? {})));
    return [...names].flatMap((name) =>
      documentMovements(
        field,
        [...path, name],
        {
          applied: memberOf(a, name),
          desired: memberOf(n, name),
          settled: memberOf(s, name),
          seen: memberOf(c, name),
        },
        memberOf(current, name),
      ),
    );
  }
  if (sameInDocument(c, current)) return [];
  const ours = n ?? (a === undefined ? s : undefined);
  return sameInDocument(ours, current) ? [] : [{ path, field, base: c, ours, theirs: current }];
}

/** What of a change or a movement is secret: the field itself, or a member that the document marks. */
export function isSecretAt(field: Field, path: Path): boolean {
  if (field.facts.secret) return true;
  const inside = path.slice(path.indexOf(field.name) + 1);
  return field.facts.document?.secret?.some((pattern) => matches(pattern, inside, true)) ?? false;
}

/** A canonical value as a reader knows it. */
export function shown(value: Value | undefined): Value | undefined {
  return value === undefined || hasUnknown(value) ? value : plainOf(value as Json);
}

function memberOf(value: Value | undefined, name: string): Value | undefined {
  return isObject(value) ? ownMember(value, name) : undefined;
}

/** Equal, where null, "", [] and {} are one with absence. An unknown value equals nothing. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  if (isEmpty(a) && isEmpty(b)) return true;
  if (hasUnknown(a) || hasUnknown(b)) return false;
  return equalJson(a as Json, b as Json);
}

/** Equal inside a document, where an empty text is a value like any other: it may stand in a map of the user's. */
export function sameInDocument(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return !hasUnknown(a) && !hasUnknown(b) && equalJson(a as Json, b as Json);
}
