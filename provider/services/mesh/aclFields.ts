import { z } from "zod";
import {
  type AbsenceProof,
  caseFolded,
  elementsIn,
  field,
  get,
  isObject,
  type Json,
  type Listing,
  ownMember,
  place,
  type Spelling,
  setting,
  textIn,
} from "../../core";
import { inPlace } from "./service";

/** The parameters of requests about ACL objects. Consul ignores a datacenter in their writes. */
export const inScope = { ns: inPlace.ns, partition: inPlace.partition } as const;

/** The address of an ACL object: its ID, which the server assigns, in the address part `id`. */
export const aclPlace = (id: string, member: string) =>
  place([`[{partition}@]{namespace}/{${id}}`, `{${id}}`], {
    defaults: {
      namespace: setting("namespace", { unset: "default" }),
      partition: setting("partition", { unset: "default" }),
    },
    fromResponse: { [id]: member, namespace: "Namespace", partition: "Partition" },
  });

/** The proof that an ACL object no longer exists: Consul's own 404 with this text. */
export const goneAcl = (kind: string): AbsenceProof => ({
  evidence: `Consul returns 404 "Requested ${kind} does not exist"`,
  proves: ({ status, text }) => status === 404 && text.startsWith(`Requested ${kind} `),
});

/** Lists the ACL objects of a kind, which have further members in a read. */
export const aclList = (path: string) =>
  ({
    route: get(path, { query: inScope }),
    itemContent: "stubs",
    pages: { by: "whole" },
    filters: {},
    items: ({ json }) => elementsIn(json),
    displayName: (item) => (isObject(item) ? textIn(item.Name) : undefined),
  }) as const satisfies Listing;

/** Members of every ACL object that the server computes, or that requests carry in their query. */
export const SERVER_MEMBERS = ["Hash", "CreateIndex", "ModifyIndex", "Namespace", "Partition"] as const;

export const descriptionField = field(z.string().optional(), {
  doc: "Description for people.",
  empty: "",
});

const nameIn = (link: Json) => (isObject(link) && typeof link.Name === "string" ? link.Name : link);

/** The names of linked objects, which Consul stores by their IDs and returns with both. It finds a name in any case. */
const linkedNames: Spelling = {
  doc: caseFolded.doc,
  canonical: (value) => (Array.isArray(value) ? caseFolded.canonical(value.map(nameIn)) : value),
  encode: (value) => elementsIn(value).map((name) => ({ Name: nameIn(name) })),
};

/** A list of names of policies or roles. */
export const linksField = (kind: string) =>
  field(z.array(z.string().min(1)).optional(), {
    doc: `Names of the ${kind}, which must exist. A renamed object shows as drift.`,
    unordered: true,
    empty: [],
    spelling: linkedNames,
  });

/** The wire names of the members of an identity, by their names in a program. */
type Members = Readonly<Record<string, string>>;

/** A list of identities: in a program with its names, in requests and responses with Consul's. */
function identities(members: Members): Spelling {
  const ownNames = (value: Json): Json => {
    if (!isObject(value)) return value;
    const entries = Object.entries(members).flatMap(([name, wire]) => {
      const member = ownMember(value, name) ?? ownMember(value, wire) ?? null;
      const isEmpty = member === null || (Array.isArray(member) && member.length === 0);
      return isEmpty
        ? []
        : [[name, Array.isArray(member) ? [...member].sort() : variablesIn(member)] as const];
    });
    return Object.fromEntries(entries);
  };
  const canonical = (value: Json): Json => (Array.isArray(value) ? value.map(ownNames) : value);
  return {
    doc: "",
    canonical,
    encode: (value) =>
      elementsIn(canonical(value)).map((one) =>
        Object.fromEntries(
          Object.entries(isObject(one) ? one : {}).map(([name, member]) => [members[name] ?? name, member]),
        ),
      ),
  };
}

/** The variables of a template. Consul accepts `Name`, and returns `name`. */
function variablesIn(member: Json): Json {
  return isObject(member) ? { name: ownMember(member, "name") ?? ownMember(member, "Name") ?? "" } : member;
}

const datacenters = () => z.array(z.string().min(1)).optional();
/** The names that Consul accepts for services and nodes in identities (Consul, `acl/validation.go`). */
const identityName = () =>
  z
    .string()
    .regex(/^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/, "must contain only lower-case letters, digits, - and _")
    .max(256);

/** The permissions that policies, roles and tokens share, besides policies. */
export const identityFields = {
  serviceIdentities: field(
    z
      .array(
        z.strictObject({
          serviceName: field(identityName(), {
            doc: "Service whose instances and proxies may be registered.",
          }),
          datacenters: field(datacenters(), { doc: "Datacenters in which it is valid. Default: all." }),
        }),
      )
      .optional(),
    {
      doc: "Services whose instances and sidecar proxies it may register. Managed as one unit.",
      unordered: true,
      empty: [],
      spelling: identities({ serviceName: "ServiceName", datacenters: "Datacenters" }),
    },
  ),
  nodeIdentities: field(
    z
      .array(
        z.strictObject({
          nodeName: field(identityName(), { doc: "Node that may be registered." }),
          datacenter: field(z.string().min(1), { doc: "Datacenter in which the node is." }),
        }),
      )
      .optional(),
    {
      doc: "Nodes that it may register. Managed as one unit.",
      unordered: true,
      empty: [],
      spelling: identities({ nodeName: "NodeName", datacenter: "Datacenter" }),
    },
  ),
  templatedPolicies: field(
    z
      .array(
        z.strictObject({
          templateName: field(z.string().min(1), {
            doc: "Name of the template, such as `builtin/service` or `builtin/node`.",
          }),
          templateVariables: field(
            z
              .strictObject({ name: field(z.string().min(1), { doc: "Name of the service or node." }) })
              .optional(),
            { doc: "Values that the template takes." },
          ),
          datacenters: field(datacenters(), { doc: "Datacenters in which it is valid. Default: all." }),
        }),
      )
      .optional(),
    {
      doc: "Policies from Consul's templates (Consul 1.17 or newer). Managed as one unit.",
      unordered: true,
      empty: [],
      spelling: identities({
        templateName: "TemplateName",
        templateVariables: "TemplateVariables",
        datacenters: "Datacenters",
      }),
    },
  ),
};
