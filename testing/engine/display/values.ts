import { isJsonList, isJsonMap, type Json, type JsonMap } from "../json";
import { SECRET_SIGNATURE, SIGNATURE, UNKNOWN_ON_THE_WIRE } from "../state/signatures";

/** A property value in an event: secrets are marked and masked, unknown values are a constant string. */
export type Shown = Json;
export type ShownMap = JsonMap;

export const isSecret = (value: Shown): boolean => isJsonMap(value) && value[SIGNATURE] === SECRET_SIGNATURE;

export const isUnknown = (value: Shown): boolean => value === UNKNOWN_ON_THE_WIRE;

export const isShownMap = (value: Shown | undefined): value is ShownMap =>
  isJsonMap(value) && !isSecret(value);

export const isShownList = isJsonList;

/** True for a value that is shown on one line. */
export const isPrimitive = (value: Shown): boolean => !isShownMap(value) && !isShownList(value);

/** True for a property that only the engine uses. */
export const isInternal = (key: string): boolean => key.startsWith("__");

/** True for an empty value, which listings omit. */
export function isEmpty(value: Shown): boolean {
  if (value === null || value === "") return true;
  if (isShownList(value)) return value.length === 0;
  return isShownMap(value) && Object.keys(value).length === 0;
}

/** The difference of two values; undefined if they are equal. */
export interface ValueDiff {
  readonly old: Shown;
  readonly new: Shown;
  readonly list?: readonly ElementDiff[];
  readonly map?: MapDiff;
}

/** The change of one element or member. */
export type ElementDiff =
  | { readonly kind: "add" | "delete" | "same"; readonly value: Shown }
  | { readonly kind: "update"; readonly diff: ValueDiff };

/** By member, sorted by name. */
export type MapDiff = ReadonlyMap<string, ElementDiff>;

export function diffMaps(old: ShownMap, now: ShownMap): MapDiff | undefined {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => !isInternal(name))
    .sort();
  const members = names.flatMap((name): [string, ElementDiff][] => {
    const change = diffElement(own(old, name), own(now, name));
    return change === undefined ? [] : [[name, change]];
  });
  return members.every(([, { kind }]) => kind === "same") ? undefined : new Map(members);
}

export function diffValues(old: Shown, now: Shown): ValueDiff | undefined {
  if (isShownList(old) && isShownList(now)) {
    const list = Array.from({ length: Math.max(old.length, now.length) }, (_, index): ElementDiff => {
      const [before, after] = [old[index], now[index]];
      if (before === undefined) return { kind: "add", value: after ?? null };
      if (after === undefined) return { kind: "delete", value: before };
      const diff = diffValues(before, after);
      return diff ? { kind: "update", diff } : { kind: "same", value: before };
    });
    return list.every(({ kind }) => kind === "same") ? undefined : { old, new: now, list };
  }
  if (isShownMap(old) && isShownMap(now)) {
    const map = diffMaps(old, now);
    return map && { old, new: now, map };
  }
  if (isSecret(old) && isSecret(now)) return undefined;
  // Two unknown values may differ, but the CLI treats them as equal.
  return old === now ? undefined : { old, new: now };
}

function diffElement(old: Shown | undefined, now: Shown | undefined): ElementDiff | undefined {
  if (now === undefined) return old == null ? undefined : { kind: "delete", value: old };
  if (old === undefined) return now === null ? undefined : { kind: "add", value: now };
  const diff = diffValues(old, now);
  if (diff === undefined) return { kind: "same", value: old };
  if (old === null) return { kind: "add", value: now };
  return now === null ? { kind: "delete", value: old } : { kind: "update", diff };
}

function own(map: ShownMap, name: string): Shown | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
