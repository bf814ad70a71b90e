import { z } from "zod";
import {
  field,
  flag,
  functionResult,
  listArguments,
  listFunction,
  readFunction,
  shownFields,
} from "../../core";
import registryProvider from "./registryProvider";
import { registryProviderListing } from "./registryProviderListing";
import { linksField, relationshipsField } from "./relationships";

/** The members of a provider that a resource does not have (specification: Registry provider). */
const more = {
  permissions: field(
    z
      .object({
        canDelete: flag("Whether the token may delete it."),
      })
      .optional(),
    { doc: "What the token that asks may do." },
  ),
  relationships: relationshipsField({
    organization: { doc: "The organization whose registry it is in." },
    versions: { doc: "Its versions; none for a public one.", isMany: true },
  }),
  links: linksField({ versions: "The path of its versions." }, { hasPage: false }),
};

/** Reads one provider of an organization's private registry. */
export const getRegistryProvider = readFunction(registryProvider, { more });

/** Lists the providers of an organization's private registry. */
export const getRegistryProviders = listFunction({
  ...listArguments(registryProvider, registryProviderListing),
  token: "workspaces:getRegistryProviders",
  doc: "Lists the providers of an organization's private registry: every page, or as many as `limit` says.",
  section: "List providers",
  property: "providers",
  each: "eachRegistryProvider",
  element: z.object({ ...shownFields(registryProvider), ...more }),
  elements: (page) =>
    registryProviderListing.items(page).map((body) => {
      const textMember = (member: string) => (typeof body[member] === "string" ? body[member] : undefined);
      const address = {
        organization: textMember("organization-id"),
        registryName: textMember("registry-name"),
        namespace: textMember("namespace"),
        name: textMember("name"),
      };
      return functionResult(registryProvider, body, address, more);
    }),
});
