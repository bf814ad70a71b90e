import { z } from "zod";
import { type Definition, define, field, knownFactsOf, type Rule, typedDocument } from "../../../core";
import configEntry from "../configEntry";
import { entryDocument } from "../entryDocument";
import { lifeOf, placeOf } from "../entryLife";
import { entryReferences } from "../entryReferences";
import { mesh } from "../service";
import { meta } from "./parts";

/** The parts that one kind adds to the definition of an entry. */
interface TypedKind {
  /** The class's name: `ServiceDefaults`. */
  readonly type: string;
  readonly product: NonNullable<Definition["product"]>;
  readonly kind: string;
  readonly doc: string;
  /** The only name that an entry of this kind may have. */
  readonly onlyName?: string;
  readonly members: Readonly<Record<string, z.ZodType>>;
  readonly rules?: readonly Rule[];
  readonly notes?: Definition["notes"];
}

/**
 * Defines a kind of configuration entry with typed members. It shares the definition of every entry: same IDs, same
 * check-and-set, same comparison.
 */
export function typedEntry({
  type,
  product,
  kind,
  doc,
  onlyName,
  members,
  rules = [],
  notes,
}: TypedKind): Definition {
  const { kind: _, name: __, spec: ___, ...others } = configEntry.fields;
  const schema = z.strictObject({ ...members, meta });
  const spelling = typedDocument(schema, "pascal");
  const at = onlyName ?? "{name}";
  const { secret, ...plain } = entryDocument;
  const document = Object.values(members).some((member) => knownFactsOf(member)?.secret)
    ? { ...plain, ...(secret && { secret }) }
    : plain;
  return define({
    token: `mesh:${type}`,
    product,
    doc,
    section: configEntry.section,
    service: mesh,
    fields: {
      ...(onlyName === undefined && {
        name: field(z.string().min(1), { doc: "Name of the entry.", role: "identity" }),
      }),
      spec: field(Object.values(members).some(isNeeded) ? schema : schema.optional(), {
        doc: "Fields of the entry.",
        wire: ".",
        document,
        spelling,
        empty: {},
      }),
      ...others,
    },
    rules,
    where: placeOf(kind, at),
    life: lifeOf(kind, at, {
      expects: { named: { name: "Name?" }, is: { Kind: kind } },
      own: { Kind: kind, ...(onlyName !== undefined && { Name: onlyName }) },
    }),
    references: entryReferences(kind, spelling),
    ...(notes && { notes }),
  });
}

function isNeeded(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success;
}
