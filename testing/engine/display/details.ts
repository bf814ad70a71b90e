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

/** The changes inside a value, by member or element; only those that the provider lists. */
class Inside {
  readonly changes = new Map<Key, ElementDiff | Inside>();

  /** Adds a change. If the value is a list or a map in only one of the states, the complete value was added or deleted. */
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
    const members = [...this.changes].map(([key, change]) => [String(key), elementDiffOf(change)] as const);
    return new Map(members.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** The changed elements at their indices; the list is sparse. */
  diff(): ValueDiff {
    if ([...this.changes.keys()].some((key) => typeof key === "string")) {
      return { old: null, new: null, map: this.map() };
    }
    const list: ElementDiff[] = [];
    for (const [index, change] of this.changes) list[Number(index)] = elementDiffOf(change);
    return { old: null, new: null, list };
  }
}

const elementDiffOf = (change: ElementDiff | Inside): ElementDiff =>
  change instanceof Inside ? { kind: "update", diff: change.diff() } : change;

/** The provider's kind applies: an addition or a deletion is shown as such, even if the value is missing. */
function changeOf(kind: string, old: Shown | undefined, now: Shown | undefined): ElementDiff {
  if (kind.startsWith("add")) return { kind: "add", value: now ?? UNKNOWN_ON_THE_WIRE };
  if (kind.startsWith("delete")) return { kind: "delete", value: old ?? UNKNOWN_ON_THE_WIRE };
  const [before, after] = [old ?? null, now ?? null];
  return { kind: "update", diff: diffValues(before, after) ?? { old: before, new: after } };
}

/** The members of a secret or an unknown value are shown as secret or unknown. */
function at(value: Shown | undefined, key: Key): Shown | undefined {
  if (value === undefined) return undefined;
  if (isSecret(value) || isUnknown(value)) return value;
  if (typeof key === "number") return isShownList(value) ? value[key] : undefined;
  return isShownMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Converts a provider's detailed diff to a difference of values; undefined if the diff is empty. Inputs are compared with
 * inputs. Changes of outputs are read from the old outputs, and after a refresh also from the new outputs.
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
