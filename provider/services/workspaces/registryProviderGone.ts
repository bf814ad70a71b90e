import {
  type AbsenceProof,
  type Address,
  type HttpResponse,
  isObject,
  type Json,
  listElements,
  listRequestOf,
  type ObjectHookContext,
} from "../../core";
import { documentsIn, TO_ITS_END } from "./workspaceGone";

const route = { method: "GET", path: "/organizations/{organization}/registry-providers" } as const;

/**
 * A 404 means absent or unauthorized. The organization's list of providers distinguishes them as well as possible. If a
 * token may list and does not find the provider, that is good evidence of its deletion.
 */
export const missingFromRegistry: AbsenceProof = {
  evidence:
    "the provider returns 404 and is missing from the organization's provider list, which this token can read. The missing list entry is the best available evidence, because the server also returns 404 for providers that the token cannot see",
  proves: isMissingFromRegistry,
};

async function isMissingFromRegistry(
  answer: HttpResponse,
  context: ObjectHookContext,
  address: Address,
): Promise<boolean> {
  if (answer.status !== 404 || address.organization === undefined) return false;
  const listing = listRequestOf(context, route, address, {
    q: address.name,
    "filter[registry_name]": address.registryName,
  });
  try {
    for await (const provider of listElements(listing, TO_ITS_END, documentsIn)) {
      if (isSame(provider, address)) return false;
    }
  } catch {
    // A token that may not list proves nothing. The response to the read itself is then the error.
    return false;
  }
  return true;
}

function isSame(provider: Json, { registryName, namespace, name }: Address): boolean {
  const attributes = isObject(provider) && isObject(provider.attributes) ? provider.attributes : {};
  return (
    attributes["registry-name"] === registryName &&
    attributes.namespace === namespace &&
    attributes.name === name
  );
}
