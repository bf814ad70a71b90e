import { parsePath } from "../state/paths";
import { UNKNOWN_ON_THE_WIRE } from "../state/signatures";
import { properties, type Step } from "./events";
import {
  diffValues,
  type ElementDiff,
  isSecret,
  isShownList,
  isShownMap,
  isUnknown,
  type MapDiff,
  type Shown,
  type ValueDiff,
} from "./values";

type Key = string | number;

/** What differs inside a value, by its members or elements: those that a provider names, and no others. */
class Inside {
  readonly changes = new Map<Key, ElementDiff | Inside>();

  /** The place of a change; a value that is a list or a map in one state only was added or deleted as a whole. */
  add(path: readonly Key[], kind: string, old: Shown | undefined, now: Shown | undefined): void {
    const [key, ...further] = path;
    if (key === undefined) return;
    const [before, after] = [at(old, key), at(now, key)];
    if (further.length === 0) this.changes.set(key, changeOf(kind, before, after));
    else if (before == null && after != null) this.changes.set(key, { kind: "add", value: after });
    else if (before != null && after == null) this.changes.set(key, { kind: "delete", value: before });
    else {
      const known = this.changes.get(key);
      const inside = known instanceof Inside ? known : new Inside();
      this.changes.set(key, inside);
      inside.add(further, kind, before, after);
    }
  }

  map(): MapDiff {
    const members = [...this.changes].map(([key, change]) => [String(key), told(change)] as const);
    return new Map(members.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** The elements that differ at their places, and nothing at the others. */
  diff(): ValueDiff {
    if ([...this.changes.keys()].some((key) => typeof key === "string")) {
      return { old: null, new: null, map: this.map() };
    }
    const list: ElementDiff[] = [];
    for (const [index, change] of this.changes) list[Number(index)] = told(change);
    return { old: null, new: null, list };
  }
}

const told = (change: ElementDiff | Inside): ElementDiff =>
  change instanceof Inside ? { kind: "update", diff: change.diff() } : change;

/** What a provider calls an addition or a deletion is one, even of a value that is not there. */
function changeOf(kind: string, old: Shown | undefined, now: Shown | undefined): ElementDiff {
  if (kind.startsWith("add")) return { kind: "add", value: now ?? UNKNOWN_ON_THE_WIRE };
  if (kind.startsWith("delete")) return { kind: "delete", value: old ?? UNKNOWN_ON_THE_WIRE };
  const [before, after] = [old ?? null, now ?? null];
  return { kind: "update", diff: diffValues(before, after) ?? { old: before, new: after } };
}

/** What is inside of a secret, or of what is not known, is as little shown as the whole. */
function at(value: Shown | undefined, key: Key): Shown | undefined {
  if (value === undefined) return undefined;
  if (isSecret(value) || isUnknown(value)) return value;
  if (typeof key === "number") return isShownList(value) ? value[key] : undefined;
  return isShownMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * What a provider says of a step's changes, as a difference of values; undefined where it names none. Inputs are compared
 * with inputs, and what it says of outputs is found in the old ones, and after a refresh in the new ones.
 */
export function detailsOf(step: Step, options: { readonly refresh: boolean }): MapDiff | undefined {
  const all = new Inside();
  for (const [path, { diffKind, inputDiff }] of Object.entries(step.detailedDiff ?? {})) {
    const olds = properties(step.old, inputDiff ? "inputs" : "outputs");
    const news = properties(step.new, options.refresh && !inputDiff ? "outputs" : "inputs");
    all.add(parsePath(path) ?? [path], diffKind, olds, news);
  }
  return all.changes.size > 0 ? all.map() : undefined;
}
