/**
 * Property values in the engine: plain JavaScript, with secrets as {@link Secret} and values unknown in a preview as
 * {@link UNKNOWN}. `backend/` converts them to and from the CLI's checkpoint file, `deployment/` to and from protocol
 * messages.
 */

/** A property value that must be encrypted in storage and masked in output. */
export class Secret {
  constructor(readonly value: PropertyValue) {}
}

/** A value that is known only after an update. */
export const UNKNOWN: unique symbol = Symbol("unknown");

export type PropertyValue =
  | null
  | boolean
  | number
  | string
  | Secret
  | typeof UNKNOWN
  | readonly PropertyValue[]
  | { readonly [key: string]: PropertyValue };

export type PropertyMap = { readonly [key: string]: PropertyValue };

export function isMap(value: PropertyValue | undefined): value is PropertyMap {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}

export function isList(value: PropertyValue | undefined): value is readonly PropertyValue[] {
  return Array.isArray(value);
}

/** True if the predicate is true for the value or for any value inside it. */
function contains(value: PropertyValue, holds: (value: PropertyValue) => boolean): boolean {
  if (holds(value)) return true;
  if (value instanceof Secret) return contains(value.value, holds);
  if (isList(value)) return value.some((element) => contains(element, holds));
  return isMap(value) && Object.values(value).some((element) => contains(element, holds));
}

export const containsSecrets = (value: PropertyValue): boolean =>
  contains(value, (one) => one instanceof Secret);

export const containsUnknowns = (value: PropertyValue): boolean => contains(value, (one) => one === UNKNOWN);

/** Compares contents; a secret equals only a secret, and an unknown value equals nothing. */
export function equal(left: PropertyValue | undefined, right: PropertyValue | undefined): boolean {
  if (left instanceof Secret || right instanceof Secret) {
    return left instanceof Secret && right instanceof Secret && equal(left.value, right.value);
  }
  if (isList(left)) {
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((element, index) => equal(element, right[index]))
    );
  }
  if (isMap(left)) {
    if (!isMap(right)) return false;
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]))
    );
  }
  return left === right && left !== UNKNOWN;
}

/** Removes all secret marks from a value, at any depth. */
export function reveal(value: PropertyValue): PropertyValue {
  if (value instanceof Secret) return reveal(value.value);
  if (isList(value)) return value.map(reveal);
  return isMap(value) ? mapValues(value, reveal) : value;
}

/** Replaces each secret with a mask, for messages. */
export function redactValue(value: PropertyValue): PropertyValue {
  if (value instanceof Secret) return "[secret]";
  if (isList(value)) return value.map(redactValue);
  return isMap(value) ? mapValues(value, redactValue) : value;
}

export function mapValues(map: PropertyMap, change: (value: PropertyValue) => PropertyValue): PropertyMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

/** The names of the top-level properties that differ, for a provider that does not list them. */
export function changedKeys(before: PropertyMap, after: PropertyMap): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !equal(before[name], after[name])).sort();
}

/**
 * Marks values whose counterpart is secret, for a provider that does not return secrets. It descends into maps; a list whose
 * counterpart contains a secret becomes secret as a unit.
 */
export function markSecrets(values: PropertyMap, like: PropertyMap): PropertyMap {
  const marked: Record<string, PropertyValue> = { ...values };
  for (const [name, pattern] of Object.entries(like)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) continue;
    if (isMap(value) && isMap(pattern)) marked[name] = markSecrets(value, pattern);
    else if (!(value instanceof Secret) && containsSecrets(pattern)) marked[name] = new Secret(value);
  }
  return marked;
}
