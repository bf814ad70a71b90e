import type { Address } from "../../core/define";
import { pages } from "../../core/http/paging";
import type { HttpAnswer } from "../../core/http/request";
import { isObject, type Json } from "../../core/json";
import { filledPath, type StepContext } from "../../core/steps/context";
import { errorFrom } from "../../core/steps/observe";

const route = { method: "GET", path: "/organizations/{organization}/registry-providers" } as const;

/**
 * A 404 means absent or unauthorised. The organization's list of providers tells them apart as well as can be: a token
 * that may list, and does not find the provider there, is good evidence that it is gone.
 */
export async function missingFromRegistry(
  answer: HttpAnswer,
  context: StepContext,
  address: Address,
): Promise<boolean> {
  if (answer.status !== 404 || address.organization === undefined) return false;
  const { connection, label, deadline, signal } = context;
  const listing = {
    send: connection.send,
    service: connection.service.name,
    request: {
      label,
      method: route.method,
      path: filledPath(route.path, address, connection),
      query: { q: address.name, "filter[registry_name]": address.registryName },
      nature: "read" as const,
      deadline,
      ...(signal && { signal }),
    },
    refused: (refusal: HttpAnswer) => errorFrom(context, refusal, route, address),
  };
  try {
    for await (const { json } of pages(listing, { by: "number" })) {
      const listed = isObject(json) && Array.isArray(json.data) ? json.data : [];
      if (listed.some((provider) => isSame(provider, address))) return false;
    }
  } catch {
    // A token that may not list proves nothing; the answer to the read itself is then the error.
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
