import { z } from "zod";
import { factsOf, field } from "../../../core";

// The members of what the scheduler keeps, in the words in which its tables list them. What a table lists is in every
// answer, but for what may be null there.

/** `wire` where the service's name is not the member's own with a capital letter. */
const named = (doc: string, wire?: string) => ({ doc, ...(wire !== undefined && { wire }) });

export const text = (doc: string, wire?: string) => field(z.string(), named(doc, wire));
export const flag = (doc: string, wire?: string) => field(z.boolean(), named(doc, wire));
export const count = (doc: string, wire?: string) => field(z.int(), named(doc, wire));
/** Whole nanoseconds, as they travel. */
export const duration = (doc: string) => field(z.number(), named(`${doc} In nanoseconds.`));
/** An index: text whatever its size, so that none is ever rounded. */
export const index = (doc: string, wire?: string) => field(z.string(), named(`${doc} As text.`, wire));
/** A time: too large for a number. */
export const time = (doc: string) =>
  field(z.string(), named(`${doc} In nanoseconds since 1970, as text; \`"0"\` is none.`));
/** A list or a map that is there, and may be empty. */
export const texts = (doc: string) => field(z.array(z.string()), named(doc));
export const mapOf = <S extends z.ZodType>(schema: S, doc: string) =>
  field(z.record(z.string(), schema), named(doc));
export const listOf = <S extends z.ZodType>(schema: S, doc: string) => field(z.array(schema), named(doc));
/** An object of which the specification names no members. Open: every version of the service adds some. */
export const open = (doc: string, wire?: string) =>
  field(z.record(z.string(), z.unknown()).optional(), named(doc, wire));

export const createIndex = index("The index at which it was made.");
export const modifyIndex = index("The index at which it changed last.");

/** A member that the product leaves out where it is empty, 0 or false. */
export const orNone = <S extends z.ZodType>(member: S) => field(member.optional(), factsOf(member));

/** What the product answers beside what the table lists: none of other servers. */
export const beside = <S extends z.ZodType>(schema: S, doc: string, wire?: string) =>
  field(schema.optional(), named(doc, wire));
