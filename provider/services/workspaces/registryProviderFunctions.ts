import { z } from "zod";
import { askedAs } from "../../core/functions/asked";
import { listFunction } from "../../core/functions/list";
import { readFunction, shown, shownFields } from "../../core/functions/read";
import registryProvider from "./registryProvider";
import { registryProviderListing } from "./registryProviderListing";

/** Reads one provider of an organization's private registry. */
export const getRegistryProvider = readFunction(registryProvider);

/** Lists the providers of an organization's private registry. */
export const getRegistryProviders = listFunction({
  ...askedAs(registryProvider, registryProviderListing),
  token: "workspaces:getRegistryProviders",
  doc: "Lists the providers of an organization's private registry: every page, or as many as `limit` says.",
  section: "List providers",
  property: "providers",
  each: "eachRegistryProvider",
  element: z.object(shownFields(registryProvider)),
  elements: (page) =>
    registryProviderListing.items(page).map((body) => {
      const named = (member: string) => (typeof body[member] === "string" ? body[member] : undefined);
      return shown(registryProvider, body, {
        organization: named("organization-id"),
        registryName: named("registry-name"),
        namespace: named("namespace"),
        name: named("name"),
      });
    }),
});
