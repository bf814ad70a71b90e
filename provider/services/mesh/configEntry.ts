import { z } from "zod";
import { canonicalValue, commonFields, define, field, isObject, ownMember, rule } from "../../core";
import { entryDocument, entrySpec, fixedNames, kinds } from "./entryDocument";
import { lifeOf, placeOf } from "./entryLife";
import { unknownMemberNotes } from "./entryNames";
import { partsOfEntry, placeRules } from "./entryParts";
import { entryReferences } from "./entryReferences";
import { EXPORTED, exportedNameNotes, exportedNameProblem } from "./exportedName";
import { mesh, partition } from "./service";

const ownMembers = ["Kind", "Name", "CreateIndex", "ModifyIndex", "Hash"];

/** A Consul configuration entry (specification: part B, Configuration entries). */
export default define({
  token: "mesh:ConfigEntry",
  doc: "A central configuration entry of a kind and a name. Every write and every delete is checked against the entry's index.",
  section: "B. Configuration entries (mesh catalog)",
  service: mesh,
  fields: {
    ...commonFields,
    kind: field(z.string().min(1), {
      doc: "The entry's kind, such as `service-defaults`.",
      toWrite: "A kind that this package does not know is passed through, with a warning.",
      role: "identity",
    }),
    name: field(z.string().min(1), {
      doc: "The entry's name; `global` for `proxy-defaults`, `mesh` for `mesh`.",
      toWrite: "In the body of a `mesh` the dialect `real` leaves it out, as the product has no name there.",
      role: "identity",
    }),
    // Open: an entry of any kind, including kinds that newer versions of Consul add. The resources of the typed kinds are
    // closed.
    spec: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "The entry's own fields in the service's names (`Protocol`, `Splits`…), as an object or as JSON text.",
      toWrite:
        "A `Namespace` or a `Partition` in it says where the entry is. Managed whole: fields that others add are put back.",
      wire: ".",
      document: entryDocument,
      spelling: entrySpec,
      empty: {},
    }),
    datacenter: field(z.string().min(1).optional(), {
      doc: "The datacenter that holds the entry.",
      toWrite: "Default: the connection's, else the agent's.",
      role: "identity",
      location: "address",
    }),
    namespace: field(z.string().min(1).optional(), {
      doc: "The entry's namespace (enterprise edition).",
      toWrite: "Default: the connection's, else the token's, else `default`.",
      role: "identity",
      location: "address",
    }),
    partition: field(partition.optional(), {
      doc: "The entry's admin partition (enterprise edition).",
      toWrite:
        "Default: the connection's, else the token's, else the agent's, which is `default` where nobody set it.",
      role: "identity",
      location: "address",
    }),
    createIndex: field(z.string().optional(), {
      doc: "The index at which the entry was created, as text.",
      role: "server's",
    }),
    modifyIndex: field(z.string().optional(), {
      doc: "The entry's check-and-set index, as text.",
      role: "server's",
    }),
  },
  rules: [
    rule(
      ["kind"],
      (kind) => kind === "bound-api-gateway",
      "is read-only: the service makes it from an api-gateway and its routes",
    ),
    rule(
      ["name", "kind"],
      (name, kind) => {
        const fixed = ownMember(fixedNames, String(kind));
        return fixed === undefined || name === fixed
          ? undefined
          : `must be ${JSON.stringify(fixed)}: a ${String(kind)} has that name only`;
      },
      "must be the only name of a kind that has one: `global` for proxy-defaults, `mesh` for mesh",
    ),
    rule(
      ["name", "kind", "partition"],
      (name, kind, partition) => (kind === EXPORTED ? exportedNameProblem(name, partition) : undefined),
      "of an `exported-services` entry must be the name of its `partition`, if the program writes one",
    ),
    rule(
      ["spec"],
      (spec) => typeof spec === "string" && !isObject(entrySpec.canonical(spec)),
      "must be a JSON object",
    ),
    rule(
      ["spec"],
      (spec) => {
        const document = spec === undefined ? {} : entrySpec.canonical(spec);
        const own = isObject(document) ? ownMembers.find((member) => member in document) : undefined;
        return own === undefined
          ? undefined
          : `must not hold ${own}: kind and name are properties of their own, the rest is the service's`;
      },
      `must not hold ${ownMembers.join(", ")}: kind and name are properties of their own, the rest is the service's`,
    ),
    ...placeRules,
  ],
  where: { ...placeOf("{kind}", "{name}"), written: partsOfEntry },
  life: lifeOf("{kind}", "{name}", { shows: { named: { kind: "Kind", name: "Name?" } } }),
  references: entryReferences(undefined, entrySpec),
  notes: ({ inputs }) => {
    const { kind, spec } = inputs;
    if (typeof kind !== "string") return [];
    if (!(kinds as readonly string[]).includes(kind))
      return [`kind ${kind} is not one that this package knows; its fields are passed through unchecked`];
    return [
      ...(kind === EXPORTED ? exportedNameNotes(inputs) : []),
      ...unknownMemberNotes(kind, canonicalValue(entrySpec, spec ?? {})),
    ];
  },
});
