import type { StubResponse } from "../../service";
import { readResource } from "./documents";
import { invalid, notFound, type Problem } from "./errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import { page } from "./paging";
import { fileLinks, theManagedProvider, thePrivateProvider, theVersion } from "./provider-versions";
import type { ProviderPlatform, ProviderVersion, World } from "./world";

const COLLECTION =
  "/organizations/:organization_name/registry-providers/:registry_name/:namespace/:name/versions/:version/platforms";
const ITEM = `${COLLECTION}/:os/:arch`;
const section = "API: private provider platforms";

/** The platforms of a private provider's version: list, create, get and delete. */
export const providerPlatformEndpoints: readonly Endpoint[] = [
  { method: "GET", path: COLLECTION, section, handle: list },
  { method: "POST", path: COLLECTION, section, handle: create },
  { method: "GET", path: ITEM, section, handle: get },
  { method: "DELETE", path: ITEM, section, handle: remove },
];

function list(operation: Operation): StubResponse {
  const version = theVersion(operation, thePrivateProvider(operation));
  const own = platformsOf(operation.world, version);
  return answer(page(operation.request, own, (platform) => render(platform, operation)));
}

function create(operation: Operation): StubResponse {
  const { world, request, identifiers } = operation;
  const version = theVersion(operation, theManagedProvider(operation));
  const { attributes } = readResource(request, "registry-provider-platforms");
  const problems: Problem[] = [];
  const read = (name: string, form = /./) => {
    const value = attributes[name];
    if (typeof value === "string" && form.test(value)) return value;
    problems.push({ pointer: `/data/attributes/${name}`, detail: `${name} is not valid` });
    return "";
  };
  const given = {
    os: read("os"),
    arch: read("arch"),
    shasum: read("shasum", /^[0-9a-f]{64}$/),
    filename: read("filename"),
  };
  if (platformsOf(world, version).some(({ os, arch }) => os === given.os && arch === given.arch))
    problems.push({ pointer: "/data/attributes/os", detail: "Platform has already been taken" });
  if (problems.length > 0) throw invalid(...problems);
  const made = { ...given, id: identifiers.fresh("provpltfrm"), version: version.id, binary: null };
  world.providerPlatforms.set(made.id, made);
  return answer({ data: render(made, operation) }, 201);
}

function get(operation: Operation): StubResponse {
  return answer({ data: render(thePlatform(operation, thePrivateProvider), operation) });
}

function remove(operation: Operation): StubResponse {
  operation.world.providerPlatforms.delete(thePlatform(operation, theManagedProvider).id);
  return NO_CONTENT;
}

export function platformsOf({ providerPlatforms }: World, { id }: ProviderVersion): ProviderPlatform[] {
  return [...providerPlatforms.values()].filter(({ version }) => version === id);
}

function thePlatform(operation: Operation, find: typeof thePrivateProvider): ProviderPlatform {
  const { os, arch } = operation.request.params;
  const found = platformsOf(operation.world, theVersion(operation, find(operation))).find(
    (platform) => platform.os === os && platform.arch === arch,
  );
  if (found === undefined) throw notFound();
  return found;
}

function render(platform: ProviderPlatform, operation: Operation): unknown {
  const { id, version, binary, os, arch, filename, shasum } = platform;
  const manages = operation.caller.managesRegistry(operation.request.params.organization_name ?? "");
  return {
    id,
    type: "registry-provider-platforms",
    attributes: {
      os,
      arch,
      filename,
      shasum,
      permissions: { "can-delete": manages, "can-upload-asset": manages },
      "provider-binary-uploaded": binary !== null,
    },
    relationships: {
      "registry-provider-version": { data: { id: version, type: "registry-provider-versions" } },
    },
    links: fileLinks(operation.request, id, { "provider-binary": binary }),
  };
}
