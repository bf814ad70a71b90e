import { z } from "zod";
import type { Json } from "../value/json";
import { type Facts, factsOf, field } from "./facts";

/**
 * An enum of these words with the meaning of each. The schema and the generated SDKs document the meanings.
 * `words({ creds: "The endpoint that makes users.", sts: "The one that makes sessions." })`
 */
export function enumeration<const M extends Readonly<Record<string, string>>>(meanings: M) {
  // The types know the names; `fromEntries` types them as any string.
  const names = Object.fromEntries(Object.keys(meanings).map((name) => [name, name])) as {
    readonly [N in keyof M & string]: N;
  };
  return field(z.enum(names), { doc: "", meanings });
}

// Builders for the members of typed documents.

/** `wire` is set if the service's name is not the member's own name in Pascal case. */
function factsFor(doc: string, wire: string | undefined, facts: Partial<Facts> = {}): Facts {
  return { doc, ...(wire !== undefined && { wire }), ...facts };
}

export const text = (doc: string, wire?: string) => field(z.string().optional(), factsFor(doc, wire));
export const requiredText = (doc: string, wire?: string) => field(z.string().min(1), factsFor(doc, wire));
export const flag = (doc: string, wire?: string) => field(z.boolean().optional(), factsFor(doc, wire));
export const integer = (doc: string, wire?: string) => field(z.int().optional(), factsFor(doc, wire));
export const texts = (doc: string, wire?: string) =>
  field(z.array(z.string()).optional(), factsFor(doc, wire));
export const integers = (doc: string, wire?: string) =>
  field(z.array(z.int()).optional(), factsFor(doc, wire));

/** A member whose empty value is a value like any other: leaving it out means something else. */
export const evenEmpty = <S extends z.ZodType>(member: S) =>
  field(member, { ...factsOf(member), leftOut: {} });

/** A member that may be left out if it has this value. */
export const orElse = <S extends z.ZodType>(value: Json, member: S) =>
  field(member, { ...factsOf(member), leftOut: { is: value } });

/** A map with user-defined keys. */
export const textMap = (doc: string, wire?: string) =>
  field(z.record(z.string(), z.string()).optional(), factsFor(doc, wire));
/** A map without a schema for its values. A comment at each use gives the reason. */
export const freeMap = (doc: string, wire?: string) =>
  field(z.record(z.string(), z.unknown()).optional(), factsFor(doc, wire));

export const choice = <const M extends Readonly<Record<string, string>>>(
  meanings: M,
  doc: string,
  wire?: string,
) => field(enumeration(meanings).optional(), factsFor(doc, wire));

type MemberSchemas = Readonly<Record<string, z.ZodType>>;

export const block = <S extends MemberSchemas>(members: S, doc: string, wire?: string) =>
  field(z.strictObject(members).optional(), factsFor(doc, wire));
export const blocks = <S extends MemberSchemas>(members: S, doc: string, wire?: string) =>
  field(z.array(z.strictObject(members)).optional(), factsFor(doc, wire));

/** A list with at least one element. */
export const requiredBlocks = <S extends MemberSchemas>(members: S, doc: string, wire?: string) =>
  field(z.array(z.strictObject(members)).min(1), factsFor(doc, wire));

/**
 * An object used in several places of a document, with one name in generated code.
 * @param oneOf members, at least one of them required
 */
export const sharedObject = <S extends MemberSchemas>(
  typeName: string,
  members: S,
  oneOf?: readonly (keyof S & string)[],
) => field(z.strictObject(members), { doc: "", typeName, ...(oneOf && { oneOf }) });

/** One such object, or several. */
export const one = <S extends z.ZodObject>(schema: S, doc: string, wire?: string) =>
  field(schema.optional(), factsFor(doc, wire));
export const many = <S extends z.ZodObject>(schema: S, doc: string, keyedBy?: readonly string[]) =>
  field(z.array(schema).optional(), factsFor(doc, undefined, keyedBy && { keyedBy }));
export const requiredMany = <S extends z.ZodObject>(schema: S, doc: string, keyedBy?: readonly string[]) =>
  field(z.array(schema).min(1), factsFor(doc, undefined, keyedBy && { keyedBy }));
export const mapOf = <S extends z.ZodType>(schema: S, doc: string, wire?: string) =>
  field(z.record(z.string(), schema).optional(), factsFor(doc, wire));
