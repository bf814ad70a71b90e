import { isJsonList, isJsonMap, type Json, type JsonMap } from "../../json";
import { Refusal } from "../../refusal";
import { formatPath, type PropertyPath } from "./path";

/** A secret as a stack's settings have it. */
export type Secure = { readonly secure: string };

/** A map with this one key is a ciphertext, whatever else it may have been meant to be. */
function isSecure(value: Json | undefined): value is Secure {
  return isJsonMap(value) && Object.keys(value).length === 1 && typeof value.secure === "string";
}

/** True where the value is a secret or has one anywhere in it. */
export function containsSecure(value: Json): boolean {
  if (isSecure(value)) return true;
  if (isJsonList(value)) return value.some(containsSecure);
  return isJsonMap(value) && Object.values(value).some(containsSecure);
}

/** Every ciphertext in the value. */
export function ciphertextsIn(value: Json): string[] {
  if (isSecure(value)) return [value.secure];
  if (isJsonList(value)) return value.flatMap(ciphertextsIn);
  return isJsonMap(value) ? Object.values(value).flatMap(ciphertextsIn) : [];
}

/** The value with each ciphertext replaced. */
export function mapSecure(value: Json, change: (ciphertext: string) => Json): Json {
  if (isSecure(value)) return change(value.secure);
  if (isJsonList(value)) return value.map((element) => mapSecure(element, change));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapSecure(inner, change)]));
}

/** True for what a program reads as an object and `config --json` shows as `objectValue`. */
export const isStructured = (value: Json): value is JsonMap | readonly Json[] =>
  !isSecure(value) && typeof value === "object" && value !== null;

/** The text that a program gets: strings as they are, everything else as JSON with its keys in order. */
export function toText(value: Json): string {
  if (typeof value === "string") return value;
  // The CLI escapes what would end a script in a web page; the text must be the same here and there.
  return JSON.stringify(sorted(value)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sorted(value: Json): Json {
  if (isJsonList(value)) return value.map(sorted);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key] ?? null)]),
  );
}

export function getAt(value: Json | undefined, path: PropertyPath): Json | undefined {
  return path.reduce<Json | undefined>((inner, step) => {
    if (inner === undefined || isSecure(inner)) return undefined;
    return typeof step === "number" ? (isJsonList(inner) ? inner[step] : undefined) : memberOf(inner, step);
  }, value);
}

/**
 * The value with `content` at `path`. Lists grow by one element at a time; what is missing on the way is made.
 * A plain value at the top gives way to a structured one, deeper ones do not.
 */
export function setAt(value: Json | undefined, path: PropertyPath, content: Json, from: PropertyPath): Json {
  const [step, ...rest] = path;
  if (step === undefined) return content;
  const holder = containerFor(value, step, from);
  const here = [...from, step];
  if (isJsonList(holder)) {
    if (typeof step !== "number") throw new Refusal(`${formatPath(here)}: key for an array must be an int`);
    if (step < 0 || step > holder.length) throw new Refusal(`${formatPath(here)}: array index out of range`);
    return holder.toSpliced(step, 1, setAt(holder[step] ?? undefined, rest, content, here));
  }
  if (typeof step !== "string") throw new Refusal(`${formatPath(here)}: key for a map must be a string`);
  const result = { ...holder, [step]: setAt(memberOf(holder, step) ?? undefined, rest, content, here) };
  if (isSecure(result) && rest.length === 0) throw reserved();
  return result;
}

/** The value without what is at `path`; the same value where there is nothing. */
export function removeAt(value: Json, path: PropertyPath, from: PropertyPath): Json {
  const [step, ...rest] = path;
  const inner = step === undefined ? undefined : getAt(value, [step]);
  if (step === undefined || inner === undefined) return value;
  const here = [...from, step];
  if (isJsonList(value) && typeof step === "number") {
    return rest.length === 0
      ? value.toSpliced(step, 1)
      : value.toSpliced(step, 1, removeAt(inner, rest, here));
  }
  if (rest.length > 0) return { ...(value as JsonMap), [step]: removeAt(inner, rest, here) };
  // `getAt` found a member by name, so the value is a map.
  const { [step]: _, ...others } = value as JsonMap;
  if (isSecure(others)) throw new Refusal(`${formatPath(here)}: ${reserved().message}`);
  return others;
}

/** What a text means inside a structured value: `true`, `false` and whole numbers are not strings there. */
export function coerce(text: string): Json {
  if (text === "true" || text === "false") return text === "true";
  // A number too long for a program to read exactly stays the text it is.
  if (/^([+-]?[1-9]\d*|0)$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  return text;
}

function containerFor(
  value: Json | undefined,
  step: string | number,
  from: PropertyPath,
): JsonMap | readonly Json[] {
  if (value !== undefined && isStructured(value)) return value;
  if (value === undefined || value === null || from.length === 1) {
    return typeof step === "number" ? new Array<Json>(Math.max(step, 0)).fill(null) : {};
  }
  throw new Refusal(`${formatPath(from)}: expected ${typeof step === "number" ? "an array" : "a map"}`);
}

function memberOf(value: Json, name: string): Json | undefined {
  return isJsonMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

const reserved = () => new Refusal('maps with the single key "secure" are reserved');

/** A value as JSON answers have it, in the history too. */
export function describe(value: Json, text: string): object {
  return {
    value: text,
    ...(isStructured(value) && { objectValue: JSON.parse(text) }),
    secret: containsSecure(value),
  };
}
