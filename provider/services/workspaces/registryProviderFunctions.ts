import { z } from "zod";
import { field, flag, objectsFunction, readFunction } from "../../core";
import registryProvider from "./registryProvider";
import { registryProviderListing } from "./registryProviderListing";
import { linksField, relationshipsField } from "./relationships";

/** The members of a provider that a resource does not have (specification: Registry provider). */
const more = {
  permissions: field(
    z
      .object({
        canDelete: flag("True if the token may delete the provider."),
      })
      .optional(),
    { doc: "Permissions of the requesting token." },
  ),
  relationships: relationshipsField({
    organization: { doc: "Organization that owns the registry." },
    versions: { doc: "Versions of a private provider; empty for a public provider.", isMany: true },
  }),
  links: linksField({ versions: "Path of the provider's version list." }, { hasPage: false }),
};

/** Reads one provider of an organization's private registry. */
export const getRegistryProvider = readFunction(registryProvider, { more });

/** Lists the providers of an organization's private registry. */
export const getRegistryProviders = objectsFunction(registryProvider, registryProviderListing, {
  doc: "Lists the providers in an organization's private registry. The function reads every page, or stops after `limit` providers.",
  section: "List providers",
  property: "providers",
  more,
  addressOf: (body) => {
    const textMember = (member: string) => (typeof body[member] === "string" ? body[member] : undefined);
    return {
      organization: textMember("organization-id"),
      registryName: textMember("registry-name"),
      namespace: textMember("namespace"),
      name: textMember("name"),
    };
  },
});
