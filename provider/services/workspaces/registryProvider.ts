import { z } from "zod";
import {
  checksByRejection,
  commonFields,
  define,
  del,
  deletes,
  enumeration,
  field,
  get,
  object,
  place,
  post,
  replaces,
  rule,
  setting,
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
  product: {
    noun: "private registry provider",
    terraform: "`tfe_registry_provider`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/private-registry/providers",
  },
  doc: "Provider in an organization's private registry: a private provider, or a reference to a public provider. The provider is immutable (every change replaces it), and a private provider is usable only once a version, a platform and release assets exist.",
  section: "Registry provider (`type` = `registry-providers`)",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: organizationField,
    registryName: field(
      enumeration({ public: "The public registry.", private: "The organization's private registry." }),
      {
        doc: "Registry that hosts the provider.",
        role: "identity",
      },
    ),
    namespace: field(z.string().min(1).optional(), {
      doc: "Namespace of the provider; for a private provider, the organization.",
      toWrite: "Default for a private provider: the organization.",
      role: "identity",
    }),
    name: field(z.string().min(1), {
      doc: "Name of the provider in its namespace.",
      role: "identity",
    }),
    providerId: field(z.string(), { doc: "ID of the provider (`prov-…`).", role: "server's", wire: "id" }),
    createdAt: field(z.string(), { doc: "Creation time (ISO 8601).", role: "server's" }),
    updatedAt: field(z.string(), { doc: "Time of the last change (ISO 8601).", role: "server's" }),
    versionIds: field(z.array(z.string()).nullable(), {
      doc: "IDs of the provider's versions (`provver-…`); not set for a public provider, whose versions are in the public registry.",
      role: "server's",
    }),
  },
  rules: [
    rule(
      ["namespace", "registryName"],
      (namespace, registry) => registry === "public" && namespace === undefined,
      "is required for a public provider (its namespace in the public registry)",
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
        appliesTo: ({ registryName }) => registryName === "private",
        reason: "a private provider's namespace is its organization",
      },
    },
  }),
  life: object({
    reads: {
      one: get(one),
      expects: { named: { name: "name" } },
      toObject: withVersions,
      absence: missingFromRegistry,
      list: registryProviderListing,
    },
    // Every input is part of the identity, so there is never an update.
    writes: replaces({
      create: post(all),
      envelope: (attributes, { address }) =>
        asDocument({ ...attributes, namespace: attributes.namespace ?? address.namespace ?? "" }),
      returns: "object",
    }),
    creation: {
      existing: checksByRejection(isTaken),
      recognition: { creationTimeMember: "created-at" },
    },
    deletion: deletes(removal, { perform: removalBy(removal) }),
  }),
});
