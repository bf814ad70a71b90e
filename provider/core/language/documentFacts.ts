import { z } from "zod";
import type { Json } from "../value/json";
import type { Spelling } from "../value/spelling";
import { type DocumentFacts, type Facts, knownFactsOf } from "./facts";
import type { Service } from "./service";

/** The schema without the wrappers that make it optional or nullable. */
export function innerSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    // zod types the inner schema as its core type, but these wrappers contain full schemas.
    return innerSchema(schema.unwrap() as z.ZodType);
  }
  return schema;
}

/** The wire name of a member by the service's naming rule: `autoApply` becomes auto-apply, AutoApply or auto_apply. */
export function wireName(name: string, naming: Service["naming"]): string {
  if (naming === "pascal") return name.charAt(0).toUpperCase() + name.slice(1);
  const separator = naming === "kebab" ? "-" : "_";
  return name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}

/**
 * Collects the facts that the members of a typed document declare: keyed lists, unordered lists, blocks, spellings, and
 * secrets (under wire names and program names).
 */
export function collectDocumentFacts(
  schema: z.ZodType,
  naming: Service["naming"],
): Required<
  Pick<DocumentFacts, "keyedBy" | "blocks" | "unordered" | "spellings" | "secret" | "entries" | "freeEntries">
> {
  const keyedBy: Record<string, readonly string[]> = {};
  const blocks: string[] = [];
  const unordered: string[] = [];
  const spellings: Record<string, Spelling> = {};
  const secret: string[] = [];
  for (const { wire, program, facts, isBlock } of membersIn(schema, naming, "", "")) {
    // An object that may be left out when empty is not a block.
    if (isBlock && facts?.leftOut === undefined) blocks.push(wire);
    if (facts === undefined) continue;
    if (facts.keyedBy) keyedBy[wire] = facts.keyedBy;
    if (facts.unordered) unordered.push(wire);
    if (facts.spelling) spellings[wire] = facts.spelling;
    if (facts.secret) secret.push(wire, program);
  }
  const { entries, freeEntries } = schemaFactsOf(schema, naming);
  return { keyedBy, blocks, unordered, spellings, secret, entries, freeEntries };
}

/**
 * The facts that the schema of a document contains: the values that count although they are empty, and the members that every
 * program must write. Entries of maps with user-defined keys count, and lists whose absence means something else. `freeEntries`
 * are entries of maps whose values are user-defined too.
 */
export function schemaFactsOf(
  schema: z.ZodType,
  naming: Service["naming"],
): Required<Pick<DocumentFacts, "entries" | "freeEntries" | "required">> {
  const found = membersIn(schema, naming, "", "");
  const entryNames = (kind: MemberFacts["entry"]) =>
    found.filter(({ entry }) => entry === kind).map(({ wire }) => wire);
  const ownEmpty = found.filter(({ isList, facts }) => isList && isUnlikeAbsence(facts));
  const required = found.filter(({ isRequired }) => isRequired).map(({ wire }) => wire);
  return {
    entries: [...entryNames("typed"), ...ownEmpty.map(({ wire }) => wire)],
    freeEntries: entryNames("free"),
    required,
  };
}

/**
 * The members of a typed document that mean the same when left out: `empties` when they are empty, `leftOut` when they have
 * the given value.
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
    else if (isPlain && !isUnlikeAbsence(facts)) empties.push(wire);
  }
  return { empties, leftOut };
}

/** True if the empty value of a member is a value like any other, because leaving it out means something else. */
function isUnlikeAbsence(facts: Facts | undefined): boolean {
  return facts?.leftOut !== undefined && facts.leftOut.is === undefined;
}

/** A member with the patterns that name it, by wire names and by program names. */
interface MemberFacts {
  readonly wire: string;
  readonly program: string;
  readonly facts?: Facts | undefined;
  /** A string, a number, a boolean or an enum. */
  readonly isPlain: boolean;
  readonly isList?: boolean;
  /** An object with members of its own, whether required or optional. */
  readonly isBlock: boolean;
  /** An entry of a map with user-defined keys; `free` if its value is user-defined too. */
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
  const inner = innerSchema(schema);
  const any = { wire: below(wire, "*"), program: below(program, "*") };
  // zod types the inner schemas as its core type, but they are full schemas.
  if (inner instanceof z.ZodUnion)
    return (inner.options as z.ZodType[]).flatMap((option) => membersIn(option, naming, wire, program));
  if (inner instanceof z.ZodArray)
    return membersIn(inner.element as z.ZodType, naming, any.wire, any.program);
  if (inner instanceof z.ZodRecord) {
    const of = inner.valueType as z.ZodType;
    // Users choose the keys of a map, so an empty entry is still an entry.
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
      isList: innerSchema(member) instanceof z.ZodArray,
      isRequired: !member.safeParse(undefined).success,
    };
    return [own, ...membersIn(member, naming, at, as)];
  });
}

function isPlainSchema(schema: z.ZodType): boolean {
  const inner = innerSchema(schema);
  const choices = inner instanceof z.ZodUnion ? (inner.options as z.ZodType[]) : [inner];
  return choices.every((choice) =>
    [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum].some((kind) => choice instanceof kind),
  );
}

function isObjectSchema(schema: z.ZodType): boolean {
  return innerSchema(schema) instanceof z.ZodObject;
}
