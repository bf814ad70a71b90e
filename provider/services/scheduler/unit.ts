import { z } from "zod";
import { collectDocumentFacts, type Facts, field, leavingOut, typedDocument } from "../../core";

/**
 * A part of an object with typed members. Nomad replaces it as one unit, so it is managed as one.
 * @param isExact true if Nomad adds no members of its own, so that each further member was added by someone else
 */
export function unit(members: Readonly<Record<string, z.ZodType>>, facts: Facts, isExact = false) {
  return documentOf(z.strictObject(members).optional(), { empty: null, ...facts }, isExact);
}

/** A property with typed members: an object or a list of objects. */
export function documentOf<S extends z.ZodType>(schema: S, facts: Facts, isExact = true): S {
  const { secret: _, ...document } = collectDocumentFacts(schema, "pascal");
  return field(schema, {
    ...facts,
    document: { ...document, ...leavingOut(schema, "pascal"), exact: isExact },
    spelling: typedDocument(schema, "pascal"),
  });
}
