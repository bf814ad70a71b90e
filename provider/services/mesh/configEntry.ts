import { z } from "zod";
import { canonicalValue, commonFields, define, field, isObject, ownMember, rule } from "../../core";
import { entryDocument, entrySpec, fixedNames, kinds } from "./entryDocument";
import { lifeOf, placeOf } from "./entryLife";
import { unknownMemberNotes } from "./entryNames";
import { partsOfEntry, placeRules } from "./entryParts";
import { entryReferences } from "./entryReferences";
import { EXPORTED, exportedNameNotes, exportedNameProblem } from "./exportedName";
import { mesh, scopeFields } from "./service";

const ownMembers = ["Kind", "Name", "CreateIndex", "ModifyIndex", "Hash"];

/** A Consul configuration entry (specification: part B, Configuration entries). */
export default define({
  token: "mesh:ConfigEntry",
  product: {
    noun: "Consul configuration entry",
    terraform: "`consul_config_entry`",
    docs: "https://developer.hashicorp.com/consul/api-docs/config",
  },
  doc: "Consul configuration entry of any kind. Consul checks every write and delete against the entry's `ModifyIndex`.",
  section: "B. Configuration entries (mesh catalog)",
  service: mesh,
  fields: {
    ...commonFields,
    kind: field(z.string().min(1), {
      doc: "Kind of the entry, such as `service-defaults`.",
      toWrite: "Kinds that this package does not know are passed through with a warning.",
      role: "identity",
    }),
    name: field(z.string().min(1), {
      doc: "Name of the entry; `global` for `proxy-defaults`, `mesh` for `mesh`.",
      toWrite:
        "In the dialect `real`, the request body of a `mesh` entry omits it, because Consul has no name there.",
      role: "identity",
    }),
    // Open: an entry of any kind, including kinds that newer versions of Consul add. The resources of the typed kinds are
    // closed.
    spec: field(z.union([z.string(), z.record(z.string(), z.unknown())]).optional(), {
      doc: "Fields of the entry under Consul's names (`Protocol`, `Splits`…), as an object or a JSON string.",
      toWrite: "A `Namespace` or `Partition` in it sets the entry's namespace or partition.",
      wire: ".",
      document: entryDocument,
      spelling: entrySpec,
      empty: {},
    }),
    datacenter: field(z.string().min(1).optional(), {
      doc: "Datacenter that contains the entry.",
      toWrite: "Default: the connection's datacenter, then the agent's.",
      role: "identity",
      location: "address",
    }),
    ...scopeFields("entry"),
    createIndex: field(z.string().optional(), {
      doc: "Index at which the entry was created, as a string.",
      role: "server's",
    }),
    modifyIndex: field(z.string().optional(), {
      doc: "Check-and-set index of the entry, as a string.",
      role: "server's",
    }),
  },
  rules: [
    rule(
      ["kind"],
      (kind) => kind === "bound-api-gateway",
      "is read-only: Consul creates it from an api-gateway and its routes",
    ),
    rule(
      ["name", "kind"],
      (name, kind) => {
        const fixed = ownMember(fixedNames, String(kind));
        return fixed === undefined || name === fixed
          ? undefined
          : `must be ${JSON.stringify(fixed)}, the only name of a ${String(kind)} entry`;
      },
      "must be `global` for proxy-defaults and `mesh` for mesh",
    ),
    rule(
      ["name", "kind", "partition"],
      (name, kind, partition) => (kind === EXPORTED ? exportedNameProblem(name, partition) : undefined),
      "must equal `partition` for an `exported-services` entry, if `partition` is set",
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
          : `must not contain ${own}: kind and name are separate properties, and Consul sets the other members`;
      },
      `must not contain ${ownMembers.join(", ")}: kind and name are separate properties, and Consul sets the other members`,
    ),
    ...placeRules,
  ],
  where: { ...placeOf("{kind}", "{name}"), fromInputs: partsOfEntry },
  life: lifeOf("{kind}", "{name}", { expects: { named: { kind: "Kind", name: "Name?" } } }),
  references: entryReferences(undefined, entrySpec),
  notes: ({ inputs }) => {
    const { kind, spec } = inputs;
    if (typeof kind !== "string") return [];
    if (!(kinds as readonly string[]).includes(kind))
      return [`this package does not know the kind ${kind}; its fields are passed through unchecked`];
    return [
      ...(kind === EXPORTED ? exportedNameNotes(inputs) : []),
      ...unknownMemberNotes(kind, canonicalValue(entrySpec, spec ?? {})),
    ];
  },
});
