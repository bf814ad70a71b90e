import { isList, isMap, type PropertyMap, type PropertyValue, Secret } from "./values";

/** A path's steps: a map's key or a list's index; `*` stands for all of them. */
type Path = readonly (string | number)[];

/** Puts the old inputs back at every path to be ignored, and tells of which paths that was not possible. */
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

/** True where the first path names the second or something that it is inside of. */
export function contains(outer: string, inner: string): boolean {
  const [left, right] = [parsePath(outer), parsePath(inner)];
  if (!left || !right || right.length < left.length) return false;
  return left.every((step, index) => step === "*" || step === right[index]);
}

/** `root.list[0]["a key"]`; undefined for a text that is no path. */
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

/** Whether something around the old or the new value is secret already. */
interface Around {
  readonly old: boolean;
  readonly new: boolean;
}

/** A secret on the way is gone through; what is put back from inside of one stays secret. */
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

/** The last step of a path: the old value takes the new one's place, or what is new goes. */
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
