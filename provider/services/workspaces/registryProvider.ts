import { z } from "zod";
import {
  checksByRejection,
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  object,
  place,
  post,
  replaces,
  rule,
  setting,
  words,
} from "../../core";
import { document } from "./jsonApi";
import { organizationField } from "./organization";
import { removalBy, versionsWarning } from "./registryProviderDelete";
import { missingFromRegistry } from "./registryProviderGone";
import { registryProviderListing, withVersions } from "./registryProviderListing";
import { isTaken, workspaces } from "./service";

const all = "/organizations/{organization}/registry-providers";
const one = `${all}/{registryName}/{namespace}/{name}`;
const removal = del(one);
const asDocument = document("registry-providers");

/** A provider of an organization's private registry (specification: Registry providers). */
export default define({
  token: "workspaces:RegistryProvider",
  doc: "A provider of an organization's private registry: a pointer to a public one, or a private one. A private one can be used once a version, a platform and release assets exist. Nothing of it can be changed, so every change replaces it.",
  section: "Registry provider (`type` = `registry-providers`)",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: organizationField,
    registryName: field(words({ public: "The public registry's.", private: "The organization's own." }), {
      doc: "Whether it points to the public registry, or is the organization's own.",
      role: "identity",
    }),
    namespace: field(z.string().min(1).optional(), {
      doc: "The provider's namespace; a private one's is its organization.",
      toWrite: "A private one may leave it out.",
      role: "identity",
    }),
    name: field(z.string().min(1), {
      doc: "What the provider is called in its namespace.",
      role: "identity",
    }),
    providerId: field(z.string(), { doc: "The provider's id, `prov-…`.", role: "server's", wire: "id" }),
    createdAt: field(z.string(), { doc: "When it was created (ISO 8601).", role: "server's" }),
    updatedAt: field(z.string(), { doc: "When it was changed last (ISO 8601).", role: "server's" }),
    versionIds: field(z.array(z.string()).nullable(), {
      doc: "The ids of its versions, `provver-…`; none for a public one, whose versions are the public registry's.",
      role: "server's",
    }),
  },
  rules: [
    rule(
      ["namespace", "registryName"],
      (namespace, registry) => registry === "public" && namespace === undefined,
      "is required for a public provider: the namespace in the public registry",
    ),
  ],
  notes: ({ replaces = [], outputs }) => {
    const warning = versionsWarning(outputs?.versionIds);
    return replaces.length > 0 && warning !== undefined ? [warning] : [];
  },
  where: place("{organization}/{registryName}/{namespace}/{name}", {
    defaults: { organization: setting("organization") },
    follows: {
      namespace: {
        part: "organization",
        where: ({ registryName }) => registryName === "private",
        because: "a private provider's namespace is its organization",
      },
    },
  }),
  life: object({
    reads: {
      one: get(one),
      shows: { named: { name: "name" } },
      as: withVersions,
      gone: missingFromRegistry,
      list: registryProviderListing,
    },
    // Every input is part of the identity, so there is never an update.
    writes: replaces({
      create: post(all),
      envelope: (attributes, { address }) =>
        asDocument({ ...attributes, namespace: attributes.namespace ?? address.namespace ?? "" }),
      answer: "object",
    }),
    creation: {
      existing: checksByRejection(isTaken),
      ours: { born: "created-at" },
    },
    deletion: deletes(removal, { perform: removalBy(removal) }),
  }),
});
