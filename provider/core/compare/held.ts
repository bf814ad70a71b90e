import { isCompared } from "../language/role";
import { same, sameInDocument } from "../value/equality";
import { isObject, type Json, ownMember } from "../value/json";
import { type Path, valueAt } from "../value/path";
import { known } from "../value/unknown";
import type { Change } from "./changes";
import type { Model } from "./model";

/** The changes whose values the service holds by now: of a write that was carried out late, whatever others moved beside it. */
export function changesThatHold(now: Model, changes: readonly Change[]): Change[] {
  return changes.filter(({ path, field: { facts }, from, to }) => {
    if (!isCompared(facts)) return false;
    const equal = facts.document ? sameInDocument : same;
    const there = valueAt(now, path);
    return equal(there, to) && !equal(there, from);
  });
}

/** A model with these changes made. They were written, so that none is unknown. */
export function withChanges(model: Model, changes: readonly Change[]): Model {
  const made: Record<string, Json | undefined> = { ...model };
  for (const { path, to } of changes) {
    const [name = "", ...inside] = path;
    made[name] = withAt(made[String(name)], inside, to === undefined ? undefined : known(to));
  }
  return made;
}

function withAt(value: Json | undefined, path: Path, to: Json | undefined): Json | undefined {
  const [segment, ...rest] = path;
  if (segment === undefined) return to;
  const { [segment]: _, ...others } = isObject(value) ? value : {};
  const inside = withAt(isObject(value) ? ownMember(value, String(segment)) : undefined, rest, to);
  return inside === undefined ? others : { ...others, [segment]: inside };
}
