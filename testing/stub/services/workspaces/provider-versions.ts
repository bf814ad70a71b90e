import type { StubRequest, StubResponse } from "../../service";
import { fileUrl } from "./archivist";
import { type ResourceDocument, readResource } from "./documents";
import { forbidden, invalid, notFound, type Problem } from "./errors";
import type { Identifiers } from "./identifiers";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import { page } from "./paging";
import { keepProvider, theProvider } from "./registry-providers";
import { timestamp } from "./render";
import type { Seed } from "./settings";
import type { ProviderVersion, RegistryProvider, World } from "./world";

const COLLECTION =
  "/organizations/:organization_name/registry-providers/:registry_name/:namespace/:name/versions";
const ITEM = `${COLLECTION}/:version`;
const section = "API: private provider versions";
const PROTOCOLS = ["4.0", "5.0", "6.0"];

/** The versions of a private provider: list, create, get and delete. */
export const providerVersionEndpoints: readonly Endpoint[] = [
  { method: "GET", path: COLLECTION, section, handle: list },
  { method: "POST", path: COLLECTION, section, handle: create },
  { method: "GET", path: ITEM, section, handle: get },
  { method: "DELETE", path: ITEM, section, handle: remove },
];

function list(operation: Operation): StubResponse {
  const provider = thePrivateProvider(operation);
  const own = versionsOf(operation.world, provider);
  return answer(page(operation.request, own, (version) => render(version, provider, operation)));
}

function create(operation: Operation): StubResponse {
  const { world, request, identifiers } = operation;
  const provider = theManagedProvider(operation);
  const document = readResource(request, "registry-provider-versions");
  const given = readVersion(document, provider, world);
  const { now } = request;
  const made: ProviderVersion = {
    ...given,
    id: identifiers.fresh("provver"),
    provider: provider.id,
    createdAt: now,
    updatedAt: now,
    shasums: null,
    signature: null,
  };
  world.providerVersions.set(made.id, made);
  keepProvider(world, { ...provider, versions: [...provider.versions, made.id] });
  return answer({ data: render(made, provider, operation) }, 201);
}

function get(operation: Operation): StubResponse {
  const provider = thePrivateProvider(operation);
  return answer({ data: render(theVersion(operation, provider), provider, operation) });
}

/** "The version for the provider that will be deleted along with its corresponding platforms." */
function remove(operation: Operation): StubResponse {
  const provider = theManagedProvider(operation);
  const { id } = theVersion(operation, provider);
  operation.world.removeVersion(id);
  keepProvider(operation.world, { ...provider, versions: provider.versions.filter((own) => own !== id) });
  return NO_CONTENT;
}

/** Adds a version without files to a private provider. */
export function plantVersion(
  { organization, name, version, keyId }: Seed["providerVersions"][number],
  world: World,
  identifiers: Identifiers,
  now: number,
): void {
  const provider = [...world.providers.values()].find(
    (own) => own.organization === organization && own.name === name && own.registryName === "private",
  );
  if (provider === undefined) throw new Error(`the seed has no private provider ${name}`);
  const id = identifiers.fresh("provver");
  const times = { createdAt: now, updatedAt: now };
  const files = { shasums: null, signature: null };
  world.providerVersions.set(id, {
    id,
    provider: provider.id,
    version,
    keyId,
    protocols: ["5.0"],
    ...times,
    ...files,
  });
  keepProvider(world, { ...provider, versions: [...provider.versions, id] });
}

/** The private provider in the path; versions and platforms are not available for public providers. */
export function thePrivateProvider(operation: Operation): RegistryProvider {
  const provider = theProvider(operation);
  if (provider.registryName === "public") throw forbidden("not available for public providers");
  return provider;
}

export function theManagedProvider(operation: Operation): RegistryProvider {
  const provider = thePrivateProvider(operation);
  if (!operation.caller.managesRegistry(provider.organization)) throw notFound();
  return provider;
}

/** The version in the path. */
export function theVersion({ world, request }: Operation, provider: RegistryProvider): ProviderVersion {
  const found = versionsOf(world, provider).find(({ version }) => version === request.params.version);
  if (found === undefined) throw notFound();
  return found;
}

export function versionsOf({ providerVersions }: World, { id }: RegistryProvider): ProviderVersion[] {
  return [...providerVersions.values()].filter(({ provider }) => provider === id);
}

/** The links to a file: for its download if it was uploaded, otherwise for its upload. */
export function fileLinks(
  request: StubRequest,
  id: string,
  files: Readonly<Record<string, string | null>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([kind, content]) => [
      `${kind}-${content === null ? "upload" : "download"}`,
      // The kinds are the members of the caller's object literal.
      fileUrl(request, kind as Parameters<typeof fileUrl>[1], id),
    ]),
  );
}

function readVersion({ attributes }: ResourceDocument, provider: RegistryProvider, world: World) {
  const { version, "key-id": keyId, protocols } = attributes;
  const problems: Problem[] = [];
  const reject = (name: string, detail: string) =>
    problems.push({ pointer: `/data/attributes/${name}`, detail });
  const isSemantic = typeof version === "string" && /^\d+\.\d+\.\d+(?:[-+][\w.+-]{1,60})?$/.test(version);
  if (!isSemantic) reject("version", "Version must be a semantic version");
  else if (versionsOf(world, provider).some((other) => other.version === version))
    reject("version", "Version has already been taken");
  const isKnown = typeof keyId === "string" && world.gpgKeys.has(`${provider.namespace}/${keyId}`);
  if (!isKnown) reject("key-id", "Key must be the ID of a GPG key of the namespace");
  const list = Array.isArray(protocols) ? protocols : [];
  if (list.length === 0 || list.some((one) => !PROTOCOLS.includes(String(one))))
    reject("protocols", `Protocols must be some of ${PROTOCOLS.join(", ")}`);
  if (problems.length > 0) throw invalid(...problems);
  return { version: String(version), keyId: String(keyId), protocols: list.map(String) };
}

function render(
  version: ProviderVersion,
  { id: provider, organization, namespace, name }: RegistryProvider,
  { caller, request, world }: Operation,
): unknown {
  const { id, shasums, signature } = version;
  const manages = caller.managesRegistry(organization);
  const own = [...world.providerPlatforms.values()].filter((platform) => platform.version === id);
  const self = `/api/v2/organizations/${organization}/registry-providers/private/${namespace}/${name}/versions/${version.version}`;
  return {
    id,
    type: "registry-provider-versions",
    attributes: {
      version: version.version,
      "created-at": timestamp(version.createdAt),
      "updated-at": timestamp(version.updatedAt),
      "key-id": version.keyId,
      protocols: version.protocols,
      permissions: { "can-delete": manages, "can-upload-asset": manages },
      "shasums-uploaded": shasums !== null,
      "shasums-sig-uploaded": signature !== null,
    },
    relationships: {
      "registry-provider": { data: { id: provider, type: "registry-providers" } },
      platforms: {
        data: own.map((platform) => ({ id: platform.id, type: "registry-provider-platforms" })),
        links: { related: `${self}/platforms` },
      },
    },
    links: fileLinks(request, id, { shasums, "shasums-sig": signature }),
  };
}
