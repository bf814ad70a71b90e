import type { StubRequest } from "../../service";
import { fileUrl } from "./archivist";
import type { Caller } from "./callers";
import { notFound } from "./errors";
import { platformsOf } from "./provider-platforms";
import { versionsOf } from "./provider-versions";
import type { RegistryProvider, World } from "./world";

/** The private provider that a request of the provider registry protocol names; undefined if the caller has none. */
export function privateProvider(
  { providers }: World,
  caller: Caller,
  { params }: StubRequest,
): RegistryProvider | undefined {
  return [...providers.values()].find(
    ({ registryName, organization, namespace, name }) =>
      registryName === "private" &&
      namespace === params.namespace &&
      name === params.name &&
      caller.isMember(organization),
  );
}

/** The versions that can be installed: those with all release files (Terraform: Provider registry protocol, List versions). */
export function installable(world: World, provider: RegistryProvider) {
  return versionsOf(world, provider).flatMap((own) => {
    const platforms = platformsOf(world, own).filter(({ binary }) => binary !== null);
    if (own.shasums === null || own.signature === null || platforms.length === 0) return [];
    const { version, protocols } = own;
    return [{ version, protocols, platforms: platforms.map(({ os, arch }) => ({ os, arch })) }];
  });
}

/** The package of one platform (Terraform: Provider registry protocol, Find a provider package). */
export function packageOf(world: World, provider: RegistryProvider, request: StubRequest): unknown {
  const { version: wanted, os, arch } = request.params;
  const version = versionsOf(world, provider).find(({ version }) => version === wanted);
  const platform = version && platformsOf(world, version).find((own) => own.os === os && own.arch === arch);
  const isListed = installable(world, provider).some((listed) => listed.version === wanted);
  if (version === undefined || platform === undefined || !isListed || platform.binary === null)
    throw notFound();
  const key = world.gpgKeys.get(`${provider.namespace}/${version.keyId}`);
  return {
    protocols: version.protocols,
    os,
    arch,
    filename: platform.filename,
    download_url: fileUrl(request, "provider-binary", platform.id),
    shasums_url: fileUrl(request, "shasums", version.id),
    shasums_signature_url: fileUrl(request, "shasums-sig", version.id),
    shasum: platform.shasum,
    signing_keys: {
      gpg_public_keys: [
        {
          key_id: version.keyId,
          ascii_armor: key?.asciiArmor ?? "",
          trust_signature: "",
          source: "",
          source_url: null,
        },
      ],
    },
  };
}
