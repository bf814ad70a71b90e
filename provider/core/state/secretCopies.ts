import { z } from "zod";
import { type Secret, SHORTEST } from "../../../packages/redact";
import { type Field, fieldNamed, type Specified, unwrapped } from "../language/fields";
import { isShown } from "../language/role";
import { asideOf } from "../value/aside";
import { isObject, type Json, parseJson } from "../value/json";
import { memoByText } from "../value/memo";
import { KEY } from "../value/path";
import { amountIn, wordIn } from "../value/scalar";
import { withoutBreaks } from "../value/sealing";
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

  /** Whether a text, a number, a name in a map, or anything inside a value is or contains a secret. */
  isIn(value: unknown): boolean {
    if (this.#short.size + this.#long.size === 0) return false;
    if (Array.isArray(value)) return value.some((part) => this.isIn(part));
    if (isObject(value))
      return Object.entries(value).some(([name, part]) => this.isScalar(name) || this.isIn(part));
    return this.isScalar(value);
  }

  /** The same for a text or a number alone. */
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

/** What anybody may read: which names there are, and under which of them which values. */
export interface Public {
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

/**
 * Whether records hold nothing that must be encrypted. Plain is what a typed property holds that is no
 * secret, because the outputs show it whoever wrote it; and of documents, which may hold what somebody else put there, the
 * values that stand in plain beside the records, or in every record of the service, under the same name. Anything else may be
 * a secret: what a program marked, what a service read in a text, what a procedure has learnt, what an error said.
 * @param known what anybody may read: of the outputs beside the records, and of the service's dictionary
 */
export function isProvenPlain(definition: Specified, records: Records, known: readonly Public[]): boolean {
  const { address, applied, attempted, settled, seen, receipt = {}, learnt, unfinished } = records;
  if (learnt !== undefined || unfinished !== undefined) return false;
  if (writesIn(records).some((written) => Object.keys(asideOf(written)).length > 0)) return false;
  const all = [namesIn(address), ...known];
  return [applied, attempted ?? {}, settled, seen === settled ? {} : seen, receipt].every((part) =>
    Object.entries(part).every(
      ([name, value = null]) => isTyped(fieldNamed(definition, name)) || isPublic(name, value, all),
    ),
  );
}

/** What an object is called where it is called anything: by the parts of its id, which stands in plain in every state. */
function namesIn(address: Records["address"]): Public {
  const parts = Object.values(address).filter((part) => part !== undefined);
  return publicOf({ ID: parts, Name: parts });
}

/** Whether all that a property can hold is its own, with no secret and no document in it, and is shown by outputs. */
function isTyped(field: Field | undefined): boolean {
  if (field === undefined) return false;
  const { secret, document, secretsIn } = field.facts;
  if (secret === true || document !== undefined || secretsIn !== undefined || !isShown(field.facts))
    return false;
  return field.children === undefined ? isOfScalars(field.schema) : field.children.every(isTyped);
}

/** Whether a schema takes text, numbers and the like, and lists and maps of them: no object, of which more is to be known. */
function isOfScalars(schema: z.ZodType): boolean {
  const inner = unwrapped(schema);
  // zod types what is within as its core type; these hold full schemas.
  if (inner instanceof z.ZodArray) return isOfScalars(inner.element as z.ZodType);
  if (inner instanceof z.ZodRecord) return isOfScalars(inner.valueType as z.ZodType);
  if (inner instanceof z.ZodUnion) return inner.options.every((option) => isOfScalars(option as z.ZodType));
  return SCALARS.some((scalar) => inner instanceof scalar);
}

const SCALARS = [z.ZodString, z.ZodNumber, z.ZodBigInt, z.ZodBoolean, z.ZodEnum, z.ZodLiteral];

/** What values say that anybody may read. */
export function publicOf(values: Json): Public {
  const names = new Set<string>();
  const pairs = new Set<string>();
  const visit = (name: string, value: Json): void => {
    if (Array.isArray(value)) for (const part of value) visit(name, part);
    else if (isObject(value)) for (const own in value) visitMember(own, value[own] ?? null);
    else pairs.add(pairOf(name, value));
  };
  const visitMember = (name: string, value: Json): void => {
    const spelled = spelledOf(name);
    names.add(spelled);
    visit(spelled, value);
  };
  visit("", values);
  return { names, values: pairs };
}

/** What the dictionary of a service says. */
export const publicOfText = memoByText((dictionary: string) => publicOf(parseJson(dictionary)));

function isPublic(name: string, value: Json, known: readonly Public[]): boolean {
  // What an element of a list is known by stands in the element, too.
  const spelled = spelledOf(name);
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

/** A name as it is told apart from others, in whichever way its words are put together: `killTimeout`, `KillTimeout`. */
function spelledOf(name: string): string {
  return IDENTIFIER.test(name) ? name.replace(/[_-]/g, "").toLowerCase() : name;
}

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_-]*$/;

function pairOf(name: string, value: Json): string {
  return `${name}\n${wordIn(value)}`;
}
