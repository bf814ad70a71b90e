import { isCompared } from "../language/role";
import { same, sameInDocument } from "../value/equality";
import { isObject, type Json, ownMember } from "../value/json";
import { type Path, valueAt } from "../value/path";
import type { Change } from "./changes";
import type { Model } from "./model";

/** The changes whose values a service holds: those of a write that came late, whatever others have moved beside it. */
export function heldBy(now: Model, changes: readonly Change[]): Change[] {
  return changes.filter(({ path, field: { facts }, from, to }) => {
    if (!isCompared(facts)) return false;
    const equal = facts.document ? sameInDocument : same;
    // Models hold JSON only.
    const there = valueAt(now, path) as Json | undefined;
    return equal(there, to) && !equal(there, from);
  });
}

/** A model with these changes made. */
export function withChanges(model: Model, changes: readonly Change[]): Model {
  // What was written holds no unknown values, and a model stays one.
  return changes.reduce<Model>(
    (made, { path, to }) => withAt(made, path, to as Json | undefined) as Model,
    model,
  );
}

function withAt(value: Json | Model | undefined, path: Path, to: Json | undefined): Json | Model | undefined {
  const [segment, ...rest] = path;
  if (segment === undefined) return to;
  const own = isObject(value) ? value : {};
  const { [segment]: _, ...others } = own;
  const inside = withAt(ownMember(own, String(segment)), rest, to);
  return inside === undefined ? others : { ...others, [segment]: inside as Json };
}
