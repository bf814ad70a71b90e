import type { StubResponse } from "../../service";
import { readResource } from "./documents";
import { forbidden, invalid, notFound, type Problem } from "./errors";
import { answer, type Endpoint, NO_CONTENT, type Operation, theOrganization } from "./operation";
import { page } from "./paging";
import { timestamp } from "./render";
import type { RegistryProvider, World } from "./world";

const COLLECTION = "/organizations/:organization_name/registry-providers";
const ITEM = `${COLLECTION}/:registry_name/:namespace/:name`;

/** The private registry's providers: list, create, read and delete. */
export const registryProviderEndpoints: readonly Endpoint[] = [
  { method: "GET", path: COLLECTION, section: "List providers", handle: list },
  { method: "POST", path: COLLECTION, section: "Create provider", handle: create },
  { method: "GET", path: ITEM, section: "Get provider", handle: get },
  { method: "DELETE", path: ITEM, section: "Delete provider", handle: remove },
];

function list(operation: Operation): StubResponse {
  const { request, world } = operation;
  const organization = theOrganization(operation);
  const { query } = request;
  const text = query.get("q")?.toLowerCase() ?? "";
  const registryName = query.get("filter[registry_name]");
  const organizationName = query.get("filter[organization_name]");
  const providers = [...world.providers.values()]
    .filter((provider) => provider.organization === organization)
    .filter(({ name, namespace }) => [name, namespace].some((field) => field.toLowerCase().includes(text)))
    .filter((provider) => registryName === null || provider.registryName === registryName)
    .filter((provider) => organizationName === null || provider.organization === organizationName);
  return answer(page(request, providers, (provider) => render(provider, operation)));
}

function create(operation: Operation): StubResponse {
  const { request, caller, world, identifiers } = operation;
  const organization = theOrganization(operation);
  if (!caller.managesRegistry(organization)) throw notFound();
  const key = readKey(operation, organization);
  refuseWithoutCuration(operation, key.registryName);
  if (world.providers.has(keyOf(organization, key.registryName, key.namespace, key.name))) {
    throw invalid({ pointer: "/data/attributes/name", detail: "Name has already been taken" });
  }
  const provider = {
    ...key,
    id: identifiers.fresh("prov"),
    organization,
    createdAt: request.now,
    versions: [],
  };
  keepProvider(world, provider);
  return answer({ data: render(provider, operation) }, 201);
}

function get(operation: Operation): StubResponse {
  return answer({ data: render(theProvider(operation), operation) });
}

function remove(operation: Operation): StubResponse {
  if (!operation.caller.managesRegistry(theOrganization(operation))) throw notFound();
  const provider = theProvider(operation);
  const { organization: owner, registryName, namespace, name } = provider;
  for (const id of provider.versions) operation.world.removeVersion(id);
  operation.world.providers.delete(keyOf(owner, registryName, namespace, name));
  return NO_CONTENT;
}

/** Stores a provider, replacing any existing one of the same name. */
export function keepProvider(world: World, provider: RegistryProvider): void {
  const { organization, registryName, namespace, name } = provider;
  world.providers.set(keyOf(organization, registryName, namespace, name), provider);
}

export function theProvider(operation: Operation): RegistryProvider {
  const { registry_name: registryName = "", namespace = "", name = "" } = operation.request.params;
  const organization = theOrganization(operation);
  refuseWithoutCuration(operation, registryName);
  const provider = operation.world.providers.get(keyOf(organization, registryName, namespace, name));
  if (provider === undefined) throw notFound();
  return provider;
}

function refuseWithoutCuration({ switches }: Operation, registryName: string): void {
  if (registryName === "public" && !switches.publicCuration) {
    throw forbidden("Public provider curation is disabled.");
  }
}

function readKey(
  { request }: Operation,
  organization: string,
): Pick<RegistryProvider, "name" | "namespace" | "registryName"> {
  const { attributes } = readResource(request, "registry-providers");
  const problems: Problem[] = [];
  const read = (key: string) => {
    const value = attributes[key];
    if (typeof value === "string" && value !== "") return value;
    problems.push({ pointer: `/data/attributes/${key}`, detail: `${key} is required and must be a string` });
    return "";
  };
  const [name, namespace, registryName] = [read("name"), read("namespace"), read("registry-name")];
  if (registryName !== "" && registryName !== "public" && registryName !== "private") {
    problems.push({
      pointer: "/data/attributes/registry-name",
      detail: "registry-name must be public or private",
    });
  }
  if (registryName === "private" && namespace !== "" && namespace !== organization) {
    problems.push({
      pointer: "/data/attributes/namespace",
      detail: "for private providers, namespace must equal the organization name",
    });
  }
  if (problems.length > 0) throw invalid(...problems);
  return { name, namespace, registryName: registryName === "public" ? "public" : "private" };
}

function render(provider: RegistryProvider, { caller }: Operation): unknown {
  const { organization, registryName, namespace, name, createdAt } = provider;
  const self = `/api/v2/organizations/${organization}/registry-providers/${registryName}/${namespace}/${name}`;
  return {
    id: provider.id,
    type: "registry-providers",
    attributes: {
      name,
      namespace,
      "registry-name": registryName,
      "created-at": timestamp(createdAt),
      "updated-at": timestamp(createdAt),
      permissions: { "can-delete": caller.managesRegistry(organization) },
    },
    relationships: {
      organization: { data: { id: organization, type: "organizations" } },
      ...(registryName === "private"
        ? {
            versions: {
              data: provider.versions.map((id) => ({ id, type: "registry-provider-versions" })),
              links: { related: `${self}/versions` },
            },
          }
        : {}),
    },
    links: { self },
  };
}

function keyOf(organization: string, registryName: string, namespace: string, name: string): string {
  return [organization, registryName, namespace, name].join("/");
}
