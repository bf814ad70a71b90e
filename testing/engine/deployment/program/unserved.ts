import type { ReadResourceRequest, RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { Unserved } from "../../refusal";
import { isProviderType } from "../../state/urn";

/** Refuses by name what a registration asks for and this engine does not do. */
export function refuseUnserved(request: RegisterResourceRequest): void {
  refuseProvider(request);
  const asksFor: readonly (readonly [boolean, string])[] = [
    [isProviderType(request.getType()), "explicit provider resources"],
    [request.getProvidersMap().getLength() > 0, "explicit provider resources"],
    [request.getRemote(), "remote components"],
    [request.getImportid() !== "", "the resource option `import`"],
    [request.getTransformsList().length > 0, "the resource option `transforms`"],
    [request.getStateMigrationsList().length > 0, "the resource option `stateMigrations`"],
    [request.getReplaceWithList().length > 0, "the resource option `replaceWith`"],
    [request.hasReplacementTrigger(), "the resource option `replacementTrigger`"],
    [request.getHidediffsList().length > 0, "the resource option `hideDiffs`"],
    [hasHooks(request), "the resource option `hooks`"],
    [request.getEnvvarmappingsMap().getLength() > 0, "the resource option `envVarMappings`"],
    [Boolean(request.getCustomtimeouts()?.getRead()), "the custom timeout `read`"],
  ];
  for (const [asked, feature] of asksFor) if (asked) throw new Unserved(feature);
}

/** Every resource is served by its package's default provider. */
export function refuseProvider(request: RegisterResourceRequest | ReadResourceRequest): void {
  if (request.getProvider() !== "") throw new Unserved("explicit provider resources");
  if (request.getPackageref() !== "") throw new Unserved("parameterized packages");
  if (request.getVersion() !== "") throw new Unserved("the resource option `version`");
  if (request.getPlugindownloadurl() !== "") throw new Unserved("the resource option `pluginDownloadURL`");
}

function hasHooks(request: RegisterResourceRequest): boolean {
  const hooks = request.getHooks()?.toObject();
  return hooks !== undefined && Object.values(hooks).some((names) => names.length > 0);
}
