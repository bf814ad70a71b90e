import { z } from "zod";
import { type Secret, SHORTEST } from "../../../packages/redact";
import { type Field, fieldNamed, innerSchema, type Specified } from "../language/fields";
import { isShown } from "../language/role";
import { withoutBreaks } from "../value/fingerprint";
import { isObject, type Json, parseJson } from "../value/json";
import { memoByText } from "../value/memo";
import { KEY } from "../value/path";
import { hasMetadata } from "../value/programInputs";
import { amountIn, stringIn } from "../value/scalar";
import { type Records, writesIn } from "./records";

/** A shorter text may be a common word: it counts only if it is the complete value. */
const SHORTEST_PART = 8;

/** Finds known secrets in other values: a long secret anywhere in a text, a short one as the complete value. */
export class SecretCopies {
  readonly #short = new Set<string>();
  /** The long secrets by their first characters, so that the number of secrets does not slow the search down. */
  readonly #long = new Map<string, string[]>();

  constructor(secrets: Iterable<Secret>) {
    for (const secret of secrets) this.#add(secret);
  }

  /** True if a string, a number, a map key, or anything inside a value is or contains a secret. */
  isIn(value: unknown): boolean {
    if (this.#short.size + this.#long.size === 0) return false;
    if (Array.isArray(value)) return value.some((part) => this.isIn(part));
    if (isObject(value))
      return Object.entries(value).some(([name, part]) => this.isScalar(name) || this.isIn(part));
    return this.isScalar(value);
  }

  /** The same for a single string or number. */
  isScalar(value: unknown): boolean {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") return false;
    const text = String(value);
    return this.#short.has(text) || this.#containsLong(text);
  }

  #add(secret: Secret): void {
    const text = withoutBreaks(String(secret));
    if (text === "" || (typeof secret !== "string" && text.length < SHORTEST)) return;
    if (text.length < SHORTEST_PART) {
      this.#short.add(text);
      return;
    }
    const escaped = JSON.stringify(text).slice(1, -1);
    for (const each of new Set([text, escaped])) {
      const start = each.slice(0, SHORTEST_PART);
      this.#long.set(start, [...(this.#long.get(start) ?? []), each]);
    }
  }

  #containsLong(text: string): boolean {
    if (this.#long.size === 0) return false;
    for (let at = 0; at + SHORTEST_PART <= text.length; at += 1) {
      const found = this.#long.get(text.slice(at, at + SHORTEST_PART));
      if (found?.some((secret) => text.startsWith(secret, at))) return true;
    }
    return false;
  }
}

/** The names that anyone may read, and the values under them. */
export interface Public {
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

/**
 * True if records contain nothing that must be encrypted. A typed property without a secret is plain, because the outputs
 * show it no matter who wrote it. A document may contain values from others. Its values are plain only if the outputs, or
 * every record of the service, show them unencrypted under the same name. Anything else may be a secret: a value that a
 * program marked, a parsed text, the state of a procedure, an error message.
 * @param known the values that anyone may read: those of the outputs, and of the service's dictionary
 */
export function isProvenPlain(definition: Specified, records: Records, known: readonly Public[]): boolean {
  const { address, lastApplied, baseline, observed, receipt = {}, procedure, pending } = records;
  if (procedure !== undefined || pending !== undefined) return false;
  if (writesIn(records).some(hasMetadata)) return false;
  const all = [namesIn(address), ...known];
  return [lastApplied, baseline, observed === baseline ? {} : observed, receipt].every((part) =>
    Object.entries(part).every(
      ([name, value = null]) => isTyped(fieldNamed(definition, name)) || isPublic(name, value, all),
    ),
  );
}

/** The parts of an object's ID under the names that objects usually have. Every state shows the ID unencrypted. */
function namesIn(address: Records["address"]): Public {
  const parts = Object.values(address).filter((part) => part !== undefined);
  return publicOf({ ID: parts, Name: parts });
}

/** True if a property can contain only its own typed value, without a secret or a document, and the outputs show it. */
function isTyped(field: Field | undefined): boolean {
  if (field === undefined) return false;
  const { secret, document, secretsIn } = field.facts;
  if (secret === true || document !== undefined || secretsIn !== undefined || !isShown(field.facts))
    return false;
  return field.children === undefined ? isOfScalars(field.schema) : field.children.every(isTyped);
}

/** True if a schema accepts only scalars, and lists and maps of scalars. Objects would need further checks. */
function isOfScalars(schema: z.ZodType): boolean {
  const inner = innerSchema(schema);
  // zod types inner schemas as its core type; these are complete schemas.
  if (inner instanceof z.ZodArray) return isOfScalars(inner.element as z.ZodType);
  if (inner instanceof z.ZodRecord) return isOfScalars(inner.valueType as z.ZodType);
  if (inner instanceof z.ZodUnion) return inner.options.every((option) => isOfScalars(option as z.ZodType));
  return SCALARS.some((scalar) => inner instanceof scalar);
}

const SCALARS = [z.ZodString, z.ZodNumber, z.ZodBigInt, z.ZodBoolean, z.ZodEnum, z.ZodLiteral];

/** The names and values that anyone may read in a value. */
export function publicOf(values: Json): Public {
  const names = new Set<string>();
  const pairs = new Set<string>();
  const visit = (name: string, value: Json): void => {
    if (Array.isArray(value)) for (const part of value) visit(name, part);
    else if (isObject(value)) for (const own in value) visitMember(own, value[own] ?? null);
    else pairs.add(pairOf(name, value));
  };
  const visitMember = (name: string, value: Json): void => {
    const spelled = spellingOf(name);
    names.add(spelled);
    visit(spelled, value);
  };
  visit("", values);
  return { names, values: pairs };
}

/** The names and values of a service's dictionary. */
export const publicOfText = memoByText((dictionary: string) => publicOf(parseJson(dictionary)));

function isPublic(name: string, value: Json, known: readonly Public[]): boolean {
  // The key of a list element also appears in the element.
  const spelled = spellingOf(name);
  if (!name.startsWith(KEY) && !known.some(({ names }) => names.has(spelled))) return false;
  return isPublicValue(spelled, value, known);
}

function isPublicValue(name: string, value: Json, known: readonly Public[]): boolean {
  if (Array.isArray(value)) return value.every((part) => isPublicValue(name, part, known));
  if (isObject(value)) return Object.entries(value).every(([own, part]) => isPublic(own, part, known));
  if (value === null || typeof value === "boolean" || value === "" || amountIn(value) === 0) return true;
  const pair = pairOf(name, value);
  return known.some(({ values }) => values.has(pair));
}

/** A name without its word separators and case, for comparison: `killTimeout`, `KillTimeout`. */
function spellingOf(name: string): string {
  return IDENTIFIER.test(name) ? name.replace(/[_-]/g, "").toLowerCase() : name;
}

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_-]*$/;

function pairOf(name: string, value: Json): string {
  return `${name}\n${stringIn(value)}`;
}
