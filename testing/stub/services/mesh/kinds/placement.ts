import { always, type Field } from "../shape/field";
import { inherited, text } from "../shape/scalars";
import { type Body, struct } from "../shape/struct";

/** What is inside an entry and has a namespace and a partition of its own. */
export const PLACED = { Namespace: inherited("namespace"), Partition: inherited("partition") };

/** The same where a read shows only what was set. */
export const PLACEABLE = { Namespace: text, Partition: text };

/** A reference to another entry, or to a section of it. */
const REFERENCE = { Kind: always(text), Name: always(text), SectionName: always(text), ...PLACED };

export type Reference = Body<typeof REFERENCE>;
export const reference: Field<Reference> = struct(REFERENCE);
