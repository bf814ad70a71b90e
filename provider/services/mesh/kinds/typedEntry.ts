import { z } from "zod";
import { field, knownFactsOf } from "../../../core/language/facts";
import { idTemplate } from "../../../core/language/id";
import { type Definition, define } from "../../../core/language/resource";
import type { Rule } from "../../../core/language/rules";
import { typedDocument } from "../../../core/language/typedDocument";
import configEntry from "../configEntry";
import { entryDocument } from "../entryDocument";
import { withOwnName } from "../service";
import { meta } from "./parts";

/** What one kind adds to the definition of an entry. */
interface TypedKind {
  /** The class's name: `ServiceDefaults`. */
  readonly type: string;
  readonly kind: string;
  readonly doc: string;
  /** The only name that an entry of this kind may have. */
  readonly onlyName?: string;
  readonly members: Readonly<Record<string, z.ZodType>>;
  readonly rules?: readonly Rule[];
  readonly notes?: Definition["notes"];
}

/**
 * A kind of configuration entry with typed members, over the same definition as every entry: same ids, same
 * check-and-set, same comparison.
 */
export function typedEntry({ type, kind, doc, onlyName, members, rules = [], notes }: TypedKind): Definition {
  const { kind: _, name: __, spec: ___, ...others } = configEntry.fields;
  const schema = z.strictObject({ ...members, meta });
  const at = onlyName ?? "{name}";
  const query = { dc: "{datacenter}", ns: "{namespace}" };
  const { notes: ____, ...shared } = configEntry;
  const { secret, ...plain } = entryDocument;
  const document = Object.values(members).some((member) => knownFactsOf(member)?.secret)
    ? { ...plain, ...(secret && { secret }) }
    : plain;
  return define({
    ...shared,
    token: `mesh:${type}`,
    doc,
    fields: {
      ...(onlyName === undefined && {
        name: field(z.string().min(1), { doc: "The entry's name.", role: "identity" }),
      }),
      spec: field(Object.values(members).some(isNeeded) ? schema : schema.optional(), {
        doc: "The entry's own fields. Managed whole: fields that others add are put back.",
        wire: ".",
        document,
        spelling: typedDocument(schema, "pascal"),
        empty: {},
      }),
      ...others,
    },
    rules,
    id: idTemplate(`{datacenter}/{namespace}/${kind}/${at}`, `${kind}/${at}`),
    read: { method: "GET", path: `/config/${kind}/${at}`, query },
    remove: { method: "DELETE", path: `/config/${kind}/${at}`, query },
    list: { route: { method: "GET", path: `/config/${kind}`, query }, whole: true },
    wrap: (body, { dialect }) =>
      withOwnName({ Kind: kind, ...(onlyName !== undefined && { Name: onlyName }), ...body }, dialect),
    shows: { named: { name: "Name?" }, is: { Kind: kind } },
    ...(notes && { notes }),
  });
}

function isNeeded(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success;
}
