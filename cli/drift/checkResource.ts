import { catalog } from "../../provider/catalog";
import type { Host } from "../../provider/core/bridge/call";
import { ownMember } from "../../provider/core/value/json";
import { type StackResource, tokenOf } from "../state/deployment";
import { type Named, wordOf } from "./choice";
import type { MovedField, ResourceReport } from "./report";
import { verdictOf } from "./verdict";

/** The resources of a state to check. */
export function selectResources(
  resources: readonly StackResource[],
  only: (resource: Named) => boolean,
): readonly StackResource[] {
  return resources.filter((resource) => {
    const type = tokenOf(resource.type);
    const { urn, name, id, isExternal } = resource;
    return type !== undefined && !isExternal && only({ urn, type, name, id });
  });
}

/** The result of checking one resource; `mayPass` is set if the connection to its server failed. */
export async function checkResource(
  resource: StackResource,
  host: Host,
  settings: string,
): Promise<ResourceReport & { readonly mayPass?: true }> {
  const { urn, name, id } = resource;
  const type = tokenOf(resource.type) ?? resource.type;
  const about = { urn, type, name, id };
  const definition = ownMember(catalog, type)?.();
  if (definition === undefined)
    return { ...about, verdict: "unreadable", why: `this package has no resource ${type}`, settings };
  const found = await verdictOf(definition, host, resource);
  if (found.verdict !== "drifted") return { ...about, ...found, settings };
  const fields = found.fields.map(
    ({ isIgnored, ...field }): MovedField => (isIgnored ? { ...field, ignored: "program" } : field),
  );
  const { when, why } = found;
  return {
    ...about,
    verdict: wordOf(fields),
    fields,
    ...(when !== undefined && { when }),
    ...(why !== undefined && { why }),
    settings,
  };
}
