import type { Operand } from "./syntax";

/** What is known of a template function: how short its result can be, and how it must not be used. */
interface TemplateFunction {
  /** The fewest characters of its result. Default: none. */
  shortest?(inner: readonly Operand[]): number;
  misuse?(inner: readonly Operand[]): string | undefined;
  readonly isLdifOnly?: boolean;
}

const SHA256_CHARACTERS = 64;
const UUID_CHARACTERS = 36;

/** The last operand is the text; a pipe puts it there. */
const sameLength: TemplateFunction = { shortest: (inner) => shortestResult(inner.at(-1)) };

const functions: Readonly<Record<string, TemplateFunction>> = {
  random: { shortest: (inner) => countIn(inner) ?? 0, misuse: (inner) => needsCount(inner, "random", 1) },
  truncate: {
    shortest: (inner) => Math.min(countIn(inner) ?? 0, shortestResult(inner.at(-1))),
    misuse: (inner) => needsCount(inner, "truncate", 1),
  },
  truncate_sha256: {
    shortest: (inner) => Math.min(countIn(inner) ?? 0, shortestResult(inner.at(-1))),
    misuse: (inner) => needsCount(inner, "truncate_sha256", 9),
  },
  uppercase: sameLength,
  lowercase: sameLength,
  replace: {
    shortest: ([from, to, text]) => (shortestResult(to) < shortestResult(from) ? 0 : shortestResult(text)),
    misuse: (inner) =>
      inner.length === 3 ? undefined : "replace needs what it replaces, what by, and a text",
  },
  sha256: { shortest: () => SHA256_CHARACTERS },
  base64: { shortest: (inner) => 4 * Math.ceil(shortestResult(inner.at(-1)) / 3) },
  unix_time: { shortest: () => 10 },
  unix_time_millis: { shortest: () => 13 },
  timestamp: {
    misuse: (inner) =>
      inner.length === 1 ? undefined : 'timestamp needs a format, as in timestamp "2006-01-02"',
  },
  uuid: { shortest: () => UUID_CHARACTERS },
  printf: { shortest: formatted },
  utf16le: { isLdifOnly: true, shortest: (inner) => 2 * shortestResult(inner.at(-1)) },
  // The template language's own, as far as they make text or truth.
  ...Object.fromEntries(
    "print println html js urlquery len index slice and or not eq ne lt le gt ge call"
      .split(" ")
      .map((name) => [name, {}]),
  ),
};

/** Whether the specification, or the template language itself, has a function of this name. */
export function isKnownFunction(name: string): boolean {
  return Object.hasOwn(functions, name);
}

/** Why a call cannot work, where that is known. */
export function misuse({ name, inner }: Operand, isLdif: boolean): string | undefined {
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (known?.isLdifOnly && !isLdif) return `${name} is available in LDIF templates only`;
  return known?.misuse?.(inner);
}

/** The fewest characters that an operand can render to. */
export function shortestResult(operand: Operand | undefined): number {
  if (operand === undefined) return 0;
  if (operand.kind === "literal") return operand.name.length;
  // A role always has a name; whether anything is displayed nobody knows.
  if (operand.kind === "field") return operand.name === "RoleName" ? 1 : 0;
  const known = Object.hasOwn(functions, operand.name) ? functions[operand.name] : undefined;
  return operand.kind === "call" ? (known?.shortest?.(operand.inner) ?? 0) : 0;
}

/** The first operand, where it is a number. */
function countIn([first]: readonly Operand[]): number | undefined {
  if (first?.kind !== "literal" || !/^\d+$/.test(first.name)) return undefined;
  return Number(first.name);
}

function needsCount(inner: readonly Operand[], name: string, least: number): string | undefined {
  const [first] = inner;
  // What is computed cannot be told.
  if (first !== undefined && first.kind !== "literal") return undefined;
  const count = countIn(inner);
  return count === undefined || count < least ? `${name} needs a number of at least ${least}` : undefined;
}

/** `printf "v-%s" x`: what stands there, and the values in the order of the verbs. */
function formatted([pattern, ...values]: readonly Operand[]): number {
  if (pattern?.kind !== "literal") return 0;
  const remaining = [...values];
  let sum = 0;
  for (const [part] of pattern.name.matchAll(/%[-+# \d.]*[a-zA-Z%]|[\s\S]/g)) {
    if (part === "%%" || !part.startsWith("%")) sum += 1;
    else sum += cut(part, shortestResult(remaining.shift()));
  }
  return sum;
}

/** `%.8s` cuts, `%8s` fills. */
function cut(verb: string, length: number): number {
  const precision = /\.(\d+)/.exec(verb)?.[1];
  const width = Number(/^%[-+# 0]*(\d+)/.exec(verb)?.[1] ?? 0);
  return Math.max(width, precision === undefined ? length : Math.min(length, Number(precision)));
}
