import { z } from "zod";
import {
  type Address,
  checksByReadAndRejection,
  commonFields,
  define,
  del,
  deletes,
  field,
  get,
  type Listing,
  listRequestOf,
  type ObjectHookContext,
  object,
  place,
  post,
  replaces,
  type Search,
  setting,
  stringIn,
} from "../../core";
import { missingFromOrganization } from "./inOrganization";
import { attributeOf, document } from "./jsonApi";
import { organizationField } from "./organization";
import { GPG_KEYS } from "./permissions";
import { isTaken, workspaces } from "./service";
import { documentsIn, findInList, TO_ITS_END } from "./workspaceGone";

const one = `${GPG_KEYS}/{organization}/{keyId}`;
const all = get(GPG_KEYS, { query: { "filter[namespace]": "{organization}" } });
const asDocument = document("gpg-keys");

/** The list of an organization's keys. */
const listed = (context: ObjectHookContext, address: Address) =>
  listRequestOf(context, all, address, { "filter[namespace]": address.organization });

const gone = missingFromOrganization(
  "GPG key",
  listed,
  (document, { keyId }) => attributeOf(document, "key-id") === keyId,
);

/** Finds a key before its ID is known. */
const byText: Search = {
  async find(context, address, { asciiArmor }) {
    const found = await findInList(
      listed(context, address),
      (document) => attributeOf(document, "ascii-armor") === asciiArmor,
    );
    return found && context.observe({ ...address, keyId: stringIn(attributeOf(found, "key-id")) });
  },
  canFind: () => true,
};

const listing = {
  route: all,
  itemContent: "whole",
  pages: TO_ITS_END,
  filters: {},
  items: (page) => documentsIn(page).map((data) => workspaces.unwrap({ data })),
  refreshData: {
    key: ({ keyId }) => keyId,
    responses: (page) =>
      documentsIn(page).map((data) => [stringIn(attributeOf(data, "key-id")), { data }] as const),
  },
} as const satisfies Listing;

/** A public key for the signatures of private providers (HCP Terraform API: GPG keys). */
export default define({
  token: "workspaces:GpgKey",
  product: {
    noun: "GPG key",
    terraform: "`tfe_registry_gpg_key`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/private-registry/gpg-keys",
  },
  doc: "Public GPG key in an organization's private registry. Terraform verifies the signatures of private providers with it. The key is immutable: every change replaces it.",
  section: "API: GPG keys",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: organizationField,
    asciiArmor: field(z.string().min(1), {
      doc: "Public key in ASCII armor (`gpg --armor --export`), RSA or DSA.",
      immutable: true,
    }),
    keyId: field(z.string().optional(), {
      doc: "ID of the key (16 hexadecimal digits), for `keyId` of a provider version.",
      role: "server's",
    }),
    createdAt: field(z.string().optional(), { doc: "Creation time (ISO 8601).", role: "server's" }),
    updatedAt: field(z.string().optional(), { doc: "Time of the last change (ISO 8601).", role: "server's" }),
  },
  where: place("{organization}/{keyId}", {
    defaults: { organization: setting("organization") },
    fromResponse: { keyId: "key-id" },
  }),
  life: object({
    reads: {
      one: get(one),
      expects: { named: { organization: "namespace", keyId: "key-id" } },
      absence: gone,
      list: listing,
    },
    // Every input is immutable, so there is never an update.
    writes: replaces({
      create: post(GPG_KEYS),
      envelope: (attributes, { address }) =>
        asDocument({ ...attributes, namespace: address.organization ?? "" }),
      returns: "object",
    }),
    creation: { existing: checksByReadAndRejection(isTaken, byText) },
    deletion: deletes(del(one)),
  }),
});
