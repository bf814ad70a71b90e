import { z } from "zod";
import { commonFields } from "../../core/language/commonFields";
import { field } from "../../core/language/facts";
import { idTemplate } from "../../core/language/id";
import type { Observation } from "../../core/language/object";
import { define } from "../../core/language/resource";
import { rule } from "../../core/language/rules";
import { isObject } from "../../core/value/json";
import { removalBy } from "./registryProviderDelete";
import { missingFromRegistry } from "./registryProviderGone";
import { createdAt, errorsIn, workspaces } from "./service";

const at = "/organizations/{organization}/registry-providers";
const one = `${at}/{registryName}/{namespace}/{name}`;
const removal = { method: "DELETE", path: one } as const;

/** A provider of an organization's private registry (specification: Registry providers). */
export default define({
  token: "workspaces:RegistryProvider",
  doc: "A provider of an organization's private registry: a pointer to a public one, or a private one. A private one can be used once a version, a platform and release assets exist. Nothing of it can be changed, so every change replaces it.",
  section: "Registry provider (`type` = `registry-providers`)",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: field(z.string().min(1).optional(), {
      doc: "The organization. Default: the connection's.",
      role: "identity",
      place: "address",
    }),
    registryName: field(z.enum(["public", "private"]), {
      doc: "Whether it points to the public registry, or is the organization's own.",
      role: "identity",
    }),
    namespace: field(z.string().min(1).optional(), {
      doc: "The provider's namespace. A private one has the organization's name, and may leave it out.",
      role: "identity",
    }),
    name: field(z.string().min(1), { doc: "The provider's name.", role: "identity" }),
    providerId: field(z.string(), { doc: "The provider's id, `prov-…`.", role: "server's", wire: "id" }),
    createdAt: field(z.string(), { doc: "When it was created (ISO 8601).", role: "server's" }),
    updatedAt: field(z.string(), { doc: "When it was changed last (ISO 8601).", role: "server's" }),
    versionIds: field(z.array(z.string()).nullable(), {
      doc: "The ids of its versions, `provver-…`; none for a public one, whose versions are the public registry's.",
      role: "server's",
    }),
  },
  rules: [
    rule(["namespace", "registryName"], (namespace, registry) =>
      registry === "public" && namespace === undefined
        ? "is required for a public provider: the namespace in the public registry"
        : undefined,
    ),
  ],
  id: idTemplate("{organization}/{registryName}/{namespace}/{name}"),
  fallsBack: {
    organization: ({ settings }) =>
      typeof settings.organization === "string" ? settings.organization : undefined,
  },
  needs: ["organization"],
  addressProblem: ({ registryName, namespace, organization }) =>
    registryName === "private" && organization !== undefined && namespace !== organization
      ? {
          path: "namespace",
          reason: `must be ${JSON.stringify(organization)}: a private provider's namespace is its organization`,
        }
      : undefined,
  // A private provider's namespace is its organization, whoever named that.
  completes: (address) =>
    address.registryName === "private" && address.namespace === undefined
      ? { namespace: address.organization }
      : {},
  read: { method: "GET", path: one },
  create: { method: "POST", path: at },
  // All of it is its identity, so there is never an update.
  update: { method: "POST", path: at },
  remove: removal,
  updates: "replace",
  answersWhole: true,
  bornAt: createdAt,
  createRefusesExisting: (answer) =>
    answer.status === 422 && errorsIn(answer).some((words) => /already been taken/i.test(words)),
  wrap: (attributes, { address }) => ({
    data: {
      type: "registry-providers",
      attributes: { ...attributes, namespace: attributes.namespace ?? address.namespace ?? "" },
    },
  }),
  open: (answer): Observation["body"] => {
    const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
    const relationships = isObject(data.relationships) ? data.relationships : {};
    const { versions } = relationships;
    const list = isObject(versions) && Array.isArray(versions.data) ? versions.data : undefined;
    return {
      ...workspaces.open(answer),
      ...(list && {
        "version-ids": list.flatMap((version) => (isObject(version) ? [version.id ?? ""] : [])),
      }),
    };
  },
  shows: { named: { name: "name" } },
  gone: {
    evidence:
      "it is not found by its name, and the organization's list of providers, which this token may read, does not hold it (the best evidence there is: the service answers 404 for what a token may not see, too)",
    proves: missingFromRegistry,
  },
  acts: { remove: removalBy(removal) },
  list: { route: { method: "GET", path: at }, whole: true },
});
