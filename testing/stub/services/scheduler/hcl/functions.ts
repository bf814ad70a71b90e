import { isObject, type JsonValue } from "../../../json";
import { HclError } from "./source";

type Implementation = (...args: readonly JsonValue[]) => JsonValue;

/** The parser's functions, except those that access files or clocks and those for rare encodings. */
const FUNCTIONS = new Map<string, Implementation>([
  ["upper", (text) => string(text).toUpperCase()],
  ["lower", (text) => string(text).toLowerCase()],
  ["title", (text) => string(text).replace(/\b\p{L}/gu, (letter) => letter.toUpperCase())],
  ["trimspace", (text) => string(text).trim()],
  ["trimprefix", (text, prefix) => trimStart(string(text), string(prefix))],
  ["trimsuffix", (text, suffix) => trimEnd(string(text), string(suffix))],
  ["replace", (text, from, to) => string(text).replaceAll(string(from), string(to))],
  ["split", (separator, text) => string(text).split(string(separator))],
  ["join", (separator, ...lists) => lists.flatMap(list).map(String).join(string(separator))],
  ["substr", (text, from, length) => substring(string(text), number(from), number(length))],
  ["format", (pattern, ...args) => format(string(pattern), args)],
  ["concat", (...lists) => lists.flatMap(list)],
  ["flatten", (items) => flatten(list(items))],
  ["distinct", (items) => distinct(list(items))],
  ["compact", (items) => list(items).filter((item) => item !== null && item !== "")],
  ["reverse", (items) => [...list(items)].reverse()],
  ["sort", (items) => list(items).map(string).sort()],
  ["contains", (items, item) => list(items).includes(item ?? null)],
  ["length", (of) => (typeof of === "string" ? [...of].length : Object.keys(of ?? {}).length)],
  ["element", (items, index) => list(items)[number(index) % list(items).length] ?? null],
  ["range", (...bounds) => range(bounds.map(number))],
  ["keys", (map) => Object.keys(document(map)).sort()],
  ["values", (map) => entries(map).map(([, value]) => value)],
  ["merge", (...maps) => Object.assign({}, ...maps.map(document))],
  ["lookup", (map, key, fallback) => document(map)[string(key)] ?? fallback ?? null],
  ["coalesce", (...args) => args.find((item) => item !== null && item !== "") ?? null],
  ["min", (...args) => Math.min(...args.map(number))],
  ["max", (...args) => Math.max(...args.map(number))],
  ["ceil", (value) => Math.ceil(number(value))],
  ["floor", (value) => Math.floor(number(value))],
  ["abs", (value) => Math.abs(number(value))],
  ["tostring", (value) => string(value)],
  ["tonumber", (value) => number(value)],
  ["tobool", (value) => value === true || value === "true"],
  ["toset", (items) => distinct(list(items))],
  ["tolist", (items) => list(items)],
  ["tomap", (map) => document(map)],
  ["jsonencode", (value) => JSON.stringify(value ?? null)],
  ["jsondecode", (text) => parseJson(string(text))],
  ["base64encode", (text) => Buffer.from(string(text)).toString("base64")],
  ["base64decode", (text) => Buffer.from(string(text), "base64").toString()],
  ["urlencode", (text) => encodeURIComponent(string(text)).replaceAll("%20", "+")],
]);

export function callFunction(name: string, args: readonly JsonValue[], at: number): JsonValue {
  const implementation = FUNCTIONS.get(name);
  if (implementation === undefined) {
    throw new HclError("Call to unknown function", `There is no function named "${name}".`, at);
  }
  try {
    return implementation(...args);
  } catch (error) {
    if (!(error instanceof WrongArgument)) throw error;
    throw new HclError(
      "Invalid function argument",
      `Invalid value for a parameter of "${name}": ${error.message}.`,
      at,
    );
  }
}

class WrongArgument extends Error {}

function string(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new WrongArgument("string required");
}

function number(value: JsonValue | undefined): number {
  const result = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof result === "number" && !Number.isNaN(result)) return result;
  throw new WrongArgument("number required");
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new WrongArgument("list required");
}

function document(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> {
  // The members of a JSON object are JSON values.
  if (isObject(value)) return value as Readonly<Record<string, JsonValue>>;
  throw new WrongArgument("map required");
}

function entries(map: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return Object.entries(document(map)).sort(([left], [right]) => (left < right ? -1 : 1));
}

function trimStart(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

function trimEnd(text: string, suffix: string): string {
  return suffix !== "" && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text;
}

function substring(text: string, from: number, length: number): string {
  return length < 0 ? text.slice(from) : text.slice(from, from + length);
}

function flatten(items: readonly JsonValue[]): readonly JsonValue[] {
  return items.flatMap((item) => (Array.isArray(item) ? flatten(item) : [item]));
}

function distinct(items: readonly JsonValue[]): readonly JsonValue[] {
  const seen = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...seen.values()];
}

function range([first = 0, second, step]: readonly number[]): readonly number[] {
  const [from, to] = second === undefined ? [0, first] : [first, second];
  const by = step ?? (to < from ? -1 : 1);
  if (by === 0) throw new WrongArgument("the step must not be zero");
  const count = Math.max(0, Math.ceil((to - from) / by));
  return Array.from({ length: count }, (_, index) => from + index * by);
}

function format(pattern: string, args: readonly JsonValue[]): string {
  let next = 0;
  return pattern.replace(/%(%|[sdv]|0?(\d+)d|q)/g, (verb, letter: string, width: string | undefined) => {
    if (letter === "%") return "%";
    const argument = args[next++];
    if (argument === undefined) throw new WrongArgument(`not enough arguments for ${verb}`);
    if (letter === "q") return JSON.stringify(string(argument));
    return typeof argument === "object"
      ? JSON.stringify(argument)
      : String(argument).padStart(Number(width ?? 0), "0");
  });
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    throw new WrongArgument("valid JSON required");
  }
}
