import { fieldNamed } from "../language/fields";
import type { Values } from "../language/object";
import type { Definition } from "../language/resource";
import { isLink } from "../language/role";
import { same } from "../value/equality";
import { isObject, type Json } from "../value/json";
import { type Path, valueAt } from "../value/path";
import { known } from "../value/unknown";
import type { Change } from "./changes";
import { differencesIn, elementsOf } from "./comparison";
import { isAdditive, sameAt } from "./entries";
import { computedNextTo } from "./exclusive";
import type { Model } from "./model";
import type { Movement } from "./movements";

/** The effect of a write, judged by the complete object in its response. */
export interface Judgement {
  /** Values that the write sent and that did not change: the service ignored them. */
  readonly notTaken: readonly Movement[];
  /** Values that the write sent and that came back as a third value: the service normalised them. */
  readonly normalised: readonly Movement[];
  /** Side effects: values that the write did not send and that changed anyway. */
  readonly movedAlong: readonly Movement[];
}

/** The object just before an update, and in the update's response. */
interface UpdateModels {
  readonly before: Model;
  readonly answered: Model;
}

/**
 * Judges an update by its own response.
 * @param sent the update's body, by wire names
 */
export function judged(
  definition: Definition,
  inputs: Values,
  changes: readonly Change[],
  { sent, before, answered }: UpdateModels & { readonly sent: { readonly [member: string]: Json } },
): Judgement {
  const computed = computedNextTo(definition, inputs);
  const isOurs = ({ path }: Pick<Change, "path">) => !computed.includes(path.join("."));
  const written = changes.filter(isOurs).filter(({ path: [name], field: { facts } }) => {
    const property = fieldNamed(definition, name);
    return property !== undefined && property.wire in sent && !facts.writeOnly;
  });
  const others = written.flatMap((change) => otherwise(change, inputs, { before, answered }));
  const names = new Set(changes.map(({ path }) => path[0]));
  return {
    notTaken: others.filter(({ field, path, base, theirs }) => sameAt(field, path, base, theirs)),
    normalised: others.filter(({ field, path, base, theirs }) => !sameAt(field, path, base, theirs)),
    movedAlong: differencesIn(definition, before, answered)
      .filter(isOurs)
      .filter(({ path, field: { facts } }) => !names.has(path[0]) && !isLink(facts))
      .map(({ path, field, from, to }) => ({ path, field, base: from, ours: from, theirs: to })),
  };
}

/** The differences between the response and the values that this change wrote. */
function otherwise(
  { path, field, to }: Change,
  inputs: Values,
  { before, answered }: UpdateModels,
): Movement[] {
  const movement = (at: Path, ours: Json | undefined): Movement => ({
    path: at,
    field,
    base: valueAt(before, at),
    ours,
    theirs: valueAt(answered, at),
  });
  const wanted = to === undefined ? undefined : known(to);
  if (isAdditive(field, inputs)) {
    const there = elementsOf(valueAt(answered, path));
    const isThere = [...elementsOf(wanted)].every(
      ([key, value]) => there.has(key) && same(there.get(key), value),
    );
    return isThere ? [] : [movement(path, wanted)];
  }
  return namedIn(path, wanted)
    .map(([at, ours]) => movement(at, ours))
    .filter(({ path: at, ours, theirs }) => !sameAt(field, at, ours, theirs));
}

/** The leaves of a written value. Anyone may own the members that it does not name. */
function namedIn(path: Path, value: Json | undefined): [Path, Json | undefined][] {
  if (!isObject(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => namedIn([...path, name], member));
}
