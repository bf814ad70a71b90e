import { always, type Field } from "../shape/field";
import { inheritedField, text } from "../shape/scalars";
import { type Body, struct } from "../shape/struct";

/** The namespace and partition of an object inside an entry. */
export const PLACED = { Namespace: inheritedField("namespace"), Partition: inheritedField("partition") };

/** As {@link PLACED}, but reads show only the members that were set. */
export const PLACEABLE = { Namespace: text, Partition: text };

/** A reference to another entry, or to a section of it. */
const REFERENCE = { Kind: always(text), Name: always(text), SectionName: always(text), ...PLACED };

export type Reference = Body<typeof REFERENCE>;
export const reference: Field<Reference> = struct(REFERENCE);
