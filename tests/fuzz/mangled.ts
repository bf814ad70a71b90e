import type { Json } from "../../provider/core/value/json";

/** Random numbers from 0 to below 1, the same for the same seed. */
export type Chance = () => number;

/** A whole number below a limit. */
export function below(limit: number, random: Chance): number {
  return Math.floor(random() * limit);
}

/** A random one of the values. */
export function oneOf<Value>(values: readonly [Value, ...Value[]], random: Chance): Value {
  return values[below(values.length, random)] ?? values[0];
}

/** Bytes, some of which are changed, removed, doubled or added. */
export function mangledBytes(bytes: Buffer, random: Chance): Buffer {
  let mangled: Buffer = Buffer.from(bytes);
  for (let times = 1 + below(3, random); times > 0; times -= 1) {
    const at = below(mangled.length + 1, random);
    const end = Math.min(mangled.length, at + 1 + below(8, random));
    const [before, part, after] = [mangled.subarray(0, at), mangled.subarray(at, end), mangled.subarray(end)];
    mangled = oneOf<() => Buffer>(
      [
        () => Buffer.concat([before, flipped(part, random), after]),
        () => Buffer.concat([before, after]),
        () => Buffer.concat([before, part, part, after]),
        () => Buffer.concat([before, noise(random), part, after]),
        () => before,
        () => Buffer.concat([before, Buffer.from(oneOf(ODD_TEXTS, random)), after]),
      ],
      random,
    )();
  }
  return mangled;
}

/** A string with mangled bytes, decoded again. */
export function mangledText(text: string, random: Chance): string {
  return mangledBytes(Buffer.from(text), random).toString();
}

function flipped(part: Buffer, random: Chance): Buffer {
  return Buffer.from(part.map((byte) => byte ^ (1 << below(8, random))));
}

function noise(random: Chance): Buffer {
  return Buffer.from(Array.from({ length: 1 + below(12, random) }, () => below(256, random)));
}

/** A value with one to three changed parts: another type, removed, renamed, doubled, far too deep or too large. */
export function mangledJson(value: Json, random: Chance): Json {
  let mangled = structuredClone(value);
  for (let times = 1 + below(3, random); times > 0; times -= 1) mangled = mangledOnce(mangled, random);
  return mangled;
}

function mangledOnce(value: Json, random: Chance): Json {
  const isInside = typeof value === "object" && value !== null && random() < 0.85;
  if (!isInside) return oddValue(random);
  if (Array.isArray(value)) return mangledList(value, random);
  const members = Object.entries(value);
  const [name, member] = members[below(members.length, random)] ?? ["", null];
  if (random() < 0.6) return withMember(value, name, mangledOnce(member, random));
  return oneOf<() => Json>(
    [
      () => withoutMember(value, name),
      () => withMember(value, name, oddValue(random)),
      () => withMember(value, oneOf(ODD_NAMES, random), member),
      () => withMember(withoutMember(value, name), name.toUpperCase(), member),
      () => withMember(value, name, [member, member]),
      () => withMember(value, name, { [name]: member }),
    ],
    random,
  )();
}

function mangledList(list: readonly Json[], random: Chance): Json {
  const at = below(list.length, random);
  const part = list[at] ?? null;
  if (random() < 0.6 && list.length > 0) return list.with(at, mangledOnce(part, random));
  return oneOf<() => Json>(
    [
      () => list.toSpliced(at, 1),
      () => [...list, part],
      () => [...list, oddValue(random)],
      () => list.toReversed(),
      () => Object.fromEntries(list.map((one, index) => [String(index), one])),
      () => [],
    ],
    random,
  )();
}

/** Adds an own member, also with a name such as `__proto__`. */
function withMember(value: { readonly [name: string]: Json }, name: string, member: Json): Json {
  return Object.fromEntries([...Object.entries(value).filter(([own]) => own !== name), [name, member]]);
}

function withoutMember(value: { readonly [name: string]: Json }, name: string): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(value).filter(([own]) => own !== name));
}

/** An unexpected value. */
function oddValue(random: Chance): Json {
  return oneOf<() => Json>(
    [
      () => null,
      () => random() < 0.5,
      () => oneOf([0, -1, 1.5, 1e308, -0, 2 ** 53, 18_446_744_073_709_551_615n, 5e-324], random),
      () => oneOf(ODD_TEXTS, random),
      () => [],
      () => ({}),
      () => nested(oneOf([2, 60, 499, 700], random), random() < 0.5),
      () => [null, 7, "text", [[]], { a: null }],
      () => ({ [oneOf(ODD_NAMES, random)]: oneOf(ODD_TEXTS, random) }),
      // An object that cannot be converted to a string or a number.
      () => ({ toString: "", valueOf: "" }),
      () => "x".repeat(oneOf([1000, 70_000], random)),
    ],
    random,
  )();
}

function nested(depth: number, isList: boolean): Json {
  let value: Json = "deep";
  for (let level = 0; level < depth; level += 1) value = isList ? [value] : { a: value };
  return value;
}

/** Strings that have a special meaning to some component. */
export const ODD_TEXTS: readonly [string, ...string[]] = [
  "",
  " ",
  "0",
  "-1",
  "null",
  "true",
  "[]",
  "{}",
  '{"a":',
  "9".repeat(40),
  "1e999",
  "1h-5m",
  "..",
  "../../sys/seal",
  "%",
  "%00",
  "%2f%2e%2e",
  "a/b/c/d/e/f",
  ":",
  "@",
  "\u0000",
  "\r\nx-injected: 1",
  "\ud800",
  "\u2028",
  "é".repeat(300),
  "$" + "{x}",
  "<html></html>",
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "__proto__",
  "2030-13-45T99:99:99Z",
  "((((((((((((((((((((((((((((((",
];

const ODD_NAMES: readonly [string, ...string[]] = [
  "__proto__",
  "constructor",
  "toString",
  "length",
  "",
  "0",
  "then",
  "data",
  "errors",
  "id",
  "ID",
  "é",
];
