import { isJsonList, isJsonMap, type Json, type JsonMap } from "../../json";
import { Refusal } from "../../refusal";
import { formatPath, type PropertyPath } from "./path";

/** A secret in a stack's settings. */
export type Secure = { readonly secure: string };

/** A map with only this key is always read as a ciphertext. */
function isSecure(value: Json | undefined): value is Secure {
  return isJsonMap(value) && Object.keys(value).length === 1 && typeof value.secure === "string";
}

/** True if the value is a secret or contains one. */
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

/** Replaces each ciphertext in a value. */
export function mapSecure(value: Json, change: (ciphertext: string) => Json): Json {
  if (isSecure(value)) return change(value.secure);
  if (isJsonList(value)) return value.map((element) => mapSecure(element, change));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapSecure(inner, change)]));
}

/** True for a value that a program reads as an object; `config --json` shows it as `objectValue`. */
export const isStructured = (value: Json): value is JsonMap | readonly Json[] =>
  !isSecure(value) && typeof value === "object" && value !== null;

/** The text for a program: strings unchanged, other values as JSON with sorted keys. */
export function toText(value: Json): string {
  if (typeof value === "string") return value;
  // The CLI escapes characters that would end a script in a web page; the text must be identical.
  return JSON.stringify(sortKeys(value)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sortKeys(value: Json): Json {
  if (isJsonList(value)) return value.map(sortKeys);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key] ?? null)]),
  );
}

export function getAt(value: Json | undefined, path: PropertyPath): Json | undefined {
  return path.reduce<Json | undefined>((inner, step) => {
    if (inner === undefined || isSecure(inner)) return undefined;
    return typeof step === "number" ? (isJsonList(inner) ? inner[step] : undefined) : memberOf(inner, step);
  }, value);
}

/**
 * Sets `content` at `path`. Lists grow by one element at a time; missing containers are created. A plain value is replaced
 * with a container at the top level only.
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
  if (isSecure(result) && rest.length === 0) throw reservedKeyError();
  return result;
}

/** Removes the value at `path`; returns the same value if nothing is there. */
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
  if (isSecure(others)) throw new Refusal(`${formatPath(here)}: ${reservedKeyError().message}`);
  return others;
}

/** Parses a scalar inside a structured value: `true`, `false` and integers are not strings there. */
export function coerce(text: string): Json {
  if (text === "true" || text === "false") return text === "true";
  // A number that a program cannot read exactly stays a string.
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

const reservedKeyError = () => new Refusal('maps with the single key "secure" are reserved');

/** A value for JSON output, including the history. */
export function describe(value: Json, text: string): object {
  return {
    value: text,
    ...(isStructured(value) && { objectValue: JSON.parse(text) }),
    secret: containsSecure(value),
  };
}
