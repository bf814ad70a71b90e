import { z } from "zod";
import { factsOf, field } from "../../../core";

// The members of Nomad's records, described as in the specification's tables. Every response contains a listed member,
// unless it may be null.

/** Set `wire` if the server's name is not the member's name with a capital letter. */
const documentation = (doc: string, wire?: string) => ({ doc, ...(wire !== undefined && { wire }) });

export const text = (doc: string, wire?: string) => field(z.string(), documentation(doc, wire));
export const flag = (doc: string, wire?: string) => field(z.boolean(), documentation(doc, wire));
export const count = (doc: string, wire?: string) => field(z.int(), documentation(doc, wire));
/** An integer number of nanoseconds, as in the API. */
export const duration = (doc: string) => field(z.number(), documentation(`${doc} In nanoseconds.`));
/** An index: a string at any size, so that it is never rounded. */
export const index = (doc: string, wire?: string) =>
  field(z.string(), documentation(`${doc} A string.`, wire));
/** A time: a string, because it is too large for a number. */
export const time = (doc: string) =>
  field(z.string(), documentation(`${doc} Nanoseconds since 1970, as a string; \`"0"\` means no time.`));
/** A list or a map that is always present, but may be empty. */
export const texts = (doc: string) => field(z.array(z.string()), documentation(doc));
export const mapOf = <S extends z.ZodType>(schema: S, doc: string) =>
  field(z.record(z.string(), schema), documentation(doc));
export const listOf = <S extends z.ZodType>(schema: S, doc: string) =>
  field(z.array(schema), documentation(doc));
/** An object whose members the specification does not name. Open: each version of Nomad can add members. */
export const open = (doc: string, wire?: string) =>
  field(z.record(z.string(), z.unknown()).optional(), documentation(doc, wire));

export const createIndex = index("Index when the object was created.");
export const modifyIndex = index("Index of the last modification.");

/** A member that Nomad omits if it is empty, 0 or false. */
export const orNone = <S extends z.ZodType>(member: S) => field(member.optional(), factsOf(member));

/** A member that Nomad returns although the table does not list it. Other servers do not return it. */
export const beside = <S extends z.ZodType>(schema: S, doc: string, wire?: string) =>
  field(schema.optional(), documentation(doc, wire));
