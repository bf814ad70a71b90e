import { z } from "zod";
import type { Json } from "../value/json";
import type { Spelling } from "../value/spelling";
import { type DocumentFacts, type Facts, knownFactsOf } from "./facts";
import type { Service } from "./service";

/** The schema without the wrappers that only say whether it may be missing. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    // zod types the inner schema as its core type; these wrappers hold full schemas.
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema;
}

/** `autoApply` on the wire, by the service's rule: auto-apply, AutoApply or auto_apply. */
export function wireName(name: string, naming: Service["naming"]): string {
  if (naming === "pascal") return name.charAt(0).toUpperCase() + name.slice(1);
  const separator = naming === "kebab" ? "-" : "_";
  return name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}

/**
 * What the members of a typed document say of themselves, gathered as what is known of the document: the lists with
 * keys, those without an order, the blocks, what has two spellings, and what is secret (in both languages).
 */
export function documentFactsOf(
  schema: z.ZodType,
  naming: Service["naming"],
): Required<Pick<DocumentFacts, "keyedBy" | "blocks" | "unordered" | "spellings" | "secret">> & EntryFacts {
  const keyedBy: Record<string, readonly string[]> = {};
  const blocks: string[] = [];
  const unordered: string[] = [];
  const spellings: Record<string, Spelling> = {};
  const secret: string[] = [];
  for (const { wire, program, facts, isBlock } of membersIn(schema, naming, "", "")) {
    // One that may be left out where it is empty is none.
    if (isBlock && facts?.leftOut === undefined) blocks.push(wire);
    if (facts === undefined) continue;
    if (facts.keyedBy) keyedBy[wire] = facts.keyedBy;
    if (facts.unordered) unordered.push(wire);
    if (facts.spelling) spellings[wire] = facts.spelling;
    if (facts.secret) secret.push(wire, program);
  }
  return { keyedBy, blocks, unordered, spellings, secret, ...entriesIn(schema, naming) };
}

type EntryFacts = Required<Pick<DocumentFacts, "entries" | "freeEntries">>;

/** The entries of the maps with the user's keys, and those of maps whose values are the user's too. */
export function entriesIn(schema: z.ZodType, naming: Service["naming"]): EntryFacts {
  const found = membersIn(schema, naming, "", "");
  const named = (kind: MemberFacts["entry"]) =>
    found.filter(({ entry }) => entry === kind).map(({ wire }) => wire);
  return { entries: named("typed"), freeEntries: named("free") };
}

/**
 * What leaving out the members of a typed document comes to: those whose empty value says the same, and those that say
 * it with another value.
 */
export function leavingOut(
  schema: z.ZodType,
  naming: Service["naming"],
): Required<Pick<DocumentFacts, "empties" | "leftOut">> {
  const empties: string[] = [];
  const leftOut: Record<string, Json> = {};
  for (const { wire, facts, isPlain } of membersIn(schema, naming, "", "")) {
    const is = facts?.leftOut?.is;
    if (is !== undefined) leftOut[wire] = is;
    else if (isPlain && facts?.leftOut === undefined) empties.push(wire);
  }
  return { empties, leftOut };
}

/** The members that no program of a typed document can leave out. */
export function requiredIn(schema: z.ZodType, naming: Service["naming"]): readonly string[] {
  return membersIn(schema, naming, "", "")
    .filter(({ isRequired }) => isRequired)
    .map(({ wire }) => wire);
}

/** A member with the patterns that name it, as it travels and as a program writes it. */
interface MemberFacts {
  readonly wire: string;
  readonly program: string;
  readonly facts?: Facts | undefined;
  /** Text, a number, or a switch. */
  readonly isPlain: boolean;
  /** An object with members of its own, where it may also be absent. */
  readonly isBlock: boolean;
  /** An entry of a map with the user's keys; free if its value is the user's too. */
  readonly entry?: "typed" | "free" | undefined;
  readonly isRequired: boolean;
}

const below = (path: string, segment: string) => (path === "" ? segment : `${path}.${segment}`);

function membersIn(
  schema: z.ZodType,
  naming: Service["naming"],
  wire: string,
  program: string,
): MemberFacts[] {
  const inner = unwrapped(schema);
  const any = { wire: below(wire, "*"), program: below(program, "*") };
  // zod types what stands inside these as its core type; they hold full schemas.
  if (inner instanceof z.ZodUnion)
    return (inner.options as z.ZodType[]).flatMap((option) => membersIn(option, naming, wire, program));
  if (inner instanceof z.ZodArray)
    return membersIn(inner.element as z.ZodType, naming, any.wire, any.program);
  if (inner instanceof z.ZodRecord) {
    const of = inner.valueType as z.ZodType;
    // The keys of a map are the user's, so that an empty entry is an entry.
    const entry = of instanceof z.ZodUnknown ? ("free" as const) : ("typed" as const);
    const own: MemberFacts = { ...any, entry, isBlock: false, isPlain: false, isRequired: false };
    return [own, ...membersIn(of, naming, any.wire, any.program)];
  }
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([name, member]) => {
    const facts = knownFactsOf(member);
    const at = below(wire, facts?.wire ?? wireName(name, naming));
    const as = below(program, name);
    const own = {
      wire: at,
      program: as,
      facts,
      isBlock: isObjectSchema(member),
      isPlain: isPlainSchema(member),
      isRequired: !member.safeParse(undefined).success,
    };
    return [own, ...membersIn(member, naming, at, as)];
  });
}

function isPlainSchema(schema: z.ZodType): boolean {
  const inner = unwrapped(schema);
  const choices = inner instanceof z.ZodUnion ? (inner.options as z.ZodType[]) : [inner];
  return choices.every((choice) =>
    [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum].some((kind) => choice instanceof kind),
  );
}

function isObjectSchema(schema: z.ZodType): boolean {
  return unwrapped(schema) instanceof z.ZodObject;
}
