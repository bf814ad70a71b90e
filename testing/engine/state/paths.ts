import { isList, isMap, type PropertyMap, type PropertyValue, Secret } from "./values";

/** The steps of a path: a map's key or a list's index; `*` matches all of them. */
type Path = readonly (string | number)[];

/** Restores the old inputs at every ignored path, and returns the paths for which this was impossible. */
export function resetIgnored(inputs: PropertyMap, olds: PropertyMap, paths: readonly string[]) {
  let reset: PropertyValue = inputs;
  const impossible: string[] = [];
  for (const text of paths) {
    const path = parsePath(text);
    if (path === undefined) continue;
    const result = resetAt(path, olds, reset, { old: false, new: false });
    reset = result.value;
    if (!result.done) impossible.push(text);
  }
  return { inputs: isMap(reset) ? reset : inputs, impossible };
}

/** True if the first path equals or contains the second. */
export function contains(outer: string, inner: string): boolean {
  const [left, right] = [parsePath(outer), parsePath(inner)];
  if (!left || !right || right.length < left.length) return false;
  return left.every((step, index) => step === "*" || step === right[index]);
}

/** Parses `root.list[0]["a key"]`; undefined if the text is not a path. */
export function parsePath(text: string): Path | undefined {
  const steps: (string | number)[] = [];
  let rest = text;
  if (rest.startsWith(".")) return undefined;
  while (rest !== "") {
    const step = /^\.?(?:\[\*\]|\["((?:\\"|[^"])*)"\]|\[(-?\d+)\]|([^.[]+))/.exec(rest);
    if (!step) return undefined;
    const [all, quoted, index, name] = step;
    steps.push(index !== undefined ? Number(index) : (name ?? quoted?.replaceAll('\\"', '"') ?? "*"));
    rest = rest.slice(all.length);
  }
  return steps;
}

interface Result {
  readonly value: PropertyValue;
  readonly done: boolean;
}

/** True if an enclosing old or new value is secret. */
interface Around {
  readonly old: boolean;
  readonly new: boolean;
}

/** Restores a path. It enters secrets on the way; a value restored from inside a secret stays secret. */
function resetAt(path: Path, old: PropertyValue, value: PropertyValue, around: Around): Result {
  if (old instanceof Secret) return resetAt(path, old.value, value, { ...around, old: true });
  if (value instanceof Secret) {
    const inside = resetAt(path, old, value.value, { ...around, new: true });
    return { value: new Secret(inside.value), done: inside.done };
  }
  const [step, ...further] = path;
  if (step === undefined) return { value, done: false };
  if (further.length === 0) return replace(step, old, value, around);
  if (step === "*") return descendEverywhere(further, old, value, around);
  if (typeof step === "number") {
    if (step < 0) return { value, done: false };
    if (!isList(old) || !isList(value)) return { value, done: !isList(old) && !isList(value) };
  } else if (!isMap(old) || !isMap(value)) {
    return { value, done: !isMap(old) && !isMap(value) };
  }
  const before = at(old, step);
  const after = at(value, step);
  if (typeof step === "number" && (before === undefined || after === undefined))
    return { value, done: false };
  if (before === undefined && after === undefined) return { value, done: true };
  if (after === undefined) return { value, done: false };
  const inside = resetAt(further, before ?? null, after, around);
  return { value: put(value, step, inside.value), done: inside.done };
}

/** The last step of a path: restores the old value, or removes a new one. */
function replace(step: string | number, old: PropertyValue, value: PropertyValue, around: Around): Result {
  if (step === "*") return replaceAll(old, value, around);
  const before = at(old, step);
  if (typeof step === "number") {
    if (step < 0) return { value, done: false };
    if (!isList(old) || !isList(value)) return { value, done: !isList(old) && !isList(value) };
    const [missingBefore, missingNow] = [step >= old.length, step >= value.length];
    if (missingBefore || missingNow) return { value, done: missingBefore && missingNow };
  }
  if (before === undefined) return { value: isMap(value) ? without(value, step) : value, done: true };
  if (typeof step === "string" && !isMap(value)) return { value, done: false };
  return { value: put(value, step, stillSecret(before, around)), done: true };
}

function replaceAll(old: PropertyValue, value: PropertyValue, around: Around): Result {
  if (isMap(value)) {
    if (!isMap(old)) return { value, done: true };
    const entries = Object.entries(old).map(([key, one]) => [key, stillSecret(one, around)] as const);
    return { value: Object.fromEntries(entries), done: true };
  }
  if (!isList(value)) return { value, done: false };
  if (!isList(old)) return { value, done: true };
  const elements = value.map((one, index) =>
    index < old.length ? stillSecret(old[index] ?? null, around) : one,
  );
  return { value: elements, done: old.length === value.length };
}

function descendEverywhere(path: Path, old: PropertyValue, value: PropertyValue, around: Around): Result {
  const lists = isList(old) && isList(value);
  if (!lists && !(isMap(old) && isMap(value))) return { value, done: false };
  const steps = lists ? old.map((_, index) => index) : Object.keys(old);
  let reset: PropertyValue = value;
  for (const step of steps) {
    const before = at(old, step);
    const after = at(reset, step);
    if (before === undefined || after === undefined) return { value: reset, done: false };
    const inside = resetAt(path, before, after, around);
    reset = put(reset, step, inside.value);
    if (!inside.done) return { value: reset, done: false };
  }
  return { value: reset, done: !lists || old.length === value.length };
}

const stillSecret = (value: PropertyValue, around: Around): PropertyValue =>
  around.old && !around.new && !(value instanceof Secret) ? new Secret(value) : value;

function at(value: PropertyValue, step: string | number): PropertyValue | undefined {
  if (typeof step === "number") return isList(value) ? value[step] : undefined;
  return isMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function put(value: PropertyValue, step: string | number, content: PropertyValue): PropertyValue {
  if (typeof step === "number") {
    return isList(value) ? value.map((one, index) => (index === step ? content : one)) : value;
  }
  return isMap(value) ? { ...value, [step]: content } : value;
}

function without(map: PropertyMap, key: string | number): PropertyMap {
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== String(key)));
}
