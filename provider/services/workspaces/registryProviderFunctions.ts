import { z } from "zod";
import { listFunction } from "../../core/functions/list";
import { readFunction, shown, shownFields } from "../../core/functions/read";
import { field } from "../../core/language/facts";
import { words } from "../../core/language/words";
import registryProvider, { withVersions } from "./registryProvider";
import { workspaces } from "./service";
import { documentsIn } from "./workspaceGone";

const { organization } = registryProvider.fields;

/** Reads one provider of an organization's private registry. */
export const getRegistryProvider = readFunction(registryProvider);

/** Lists the providers of an organization's private registry. */
export const getRegistryProviders = listFunction({
  token: "workspaces:getRegistryProviders",
  doc: "Lists the providers of an organization's private registry: every page, or as many as `limit` says.",
  section: "List providers",
  service: workspaces,
  fields: {
    organization,
    q: field(z.string().optional(), {
      doc: "Part of a provider's name or namespace.",
      role: "steering",
    }),
    registryName: field(
      words({ public: "The public registry's.", private: "The organization's own." }).optional(),
      {
        doc: "Only those of this kind.",
        role: "steering",
      },
    ),
    organizationName: field(z.string().min(1).optional(), {
      doc: "Only those of this organization, as the service's own filter.",
      role: "steering",
    }),
  },
  where: { defaults: registryProvider.where.defaults },
  property: "providers",
  each: "eachRegistryProvider",
  element: z.object(shownFields(registryProvider)),
  route: registryProvider.life.reads.list.route,
  pages: { by: "number" },
  query: ({ q, registryName, organizationName }) => ({
    q: typeof q === "string" ? q : undefined,
    "filter[registry_name]": typeof registryName === "string" ? registryName : undefined,
    "filter[organization_name]": typeof organizationName === "string" ? organizationName : undefined,
  }),
  elements: (page) =>
    documentsIn(page).map((data) => {
      const body = withVersions(workspaces.open({ data }), { data });
      const named = (member: string) => (typeof body[member] === "string" ? body[member] : undefined);
      return shown(registryProvider, body, {
        organization: named("organization-id"),
        registryName: named("registry-name"),
        namespace: named("namespace"),
        name: named("name"),
      });
    }),
});
