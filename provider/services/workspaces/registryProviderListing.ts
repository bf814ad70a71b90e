import { z } from "zod";
import {
  enumeration,
  field,
  get,
  isObject,
  type Json,
  type Listing,
  type Observation,
  stringIn,
} from "../../core";
import { workspaces } from "./service";
import { documentsIn } from "./workspaceGone";

const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

/** Lists the providers of an organization's registry, page by page (specification: List providers). */
export const registryProviderListing = {
  route: get("/organizations/{organization}/registry-providers"),
  itemContent: "whole",
  pages: { by: "number" },
  filters: {
    q: field(z.string().optional(), {
      doc: "Text to search for in provider names and namespaces.",
      role: "steering",
    }),
    registryName: field(
      enumeration({
        public: "The public registry.",
        private: "The organization's private registry.",
      }).optional(),
      {
        doc: "Only providers in this registry.",
        role: "steering",
      },
    ),
    organizationName: field(z.string().min(1).optional(), {
      doc: "Only providers of this organization (the API parameter `filter[organization_name]`).",
      role: "steering",
    }),
  },
  query: ({ q, registryName, organizationName }) => ({
    q: text(q),
    "filter[registry_name]": text(registryName),
    "filter[organization_name]": text(organizationName),
  }),
  items: (page) => documentsIn(page).map((data) => withVersions(workspaces.unwrap({ data }), { data })),
  refreshData: {
    key: ({ registryName, namespace, name }) => nameOf([registryName, namespace, name]),
    responses: (page) =>
      documentsIn(page).map((data) => {
        const { "registry-name": registryName, namespace, name } = workspaces.unwrap({ data });
        return [nameOf([registryName, namespace, name]), { data }] as const;
      }),
  },
} as const satisfies Listing;

/** The key of a provider in its organization. */
function nameOf(parts: readonly (Json | undefined)[]): string {
  return JSON.stringify(parts.map(stringIn));
}

/** A provider with the IDs of its versions, from the relationships of its document. */
export function withVersions(body: Observation["body"], answer: Json): Observation["body"] {
  const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
  const { versions } = isObject(data.relationships) ? data.relationships : {};
  const list = isObject(versions) && Array.isArray(versions.data) ? versions.data : undefined;
  if (list === undefined) return body;
  return {
    ...body,
    "version-ids": list.flatMap((version) => (isObject(version) ? [version.id ?? ""] : [])),
  };
}
