import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb";
import { Unserved } from "../../refusal";

/** Refuses unsupported options of a registration by name. */
export function refuseUnserved(request: RegisterResourceRequest): void {
  refusePlugin(request.getPackageref(), request.getPlugindownloadurl());
  const asksFor: readonly (readonly [boolean, string])[] = [
    [request.getRemote(), "remote components"],
    [request.getTransformsList().length > 0, "the resource option `transforms`"],
    [request.getStateMigrationsList().length > 0, "the resource option `stateMigrations`"],
    [request.getReplaceWithList().length > 0, "the resource option `replaceWith`"],
    [request.hasReplacementTrigger(), "the resource option `replacementTrigger`"],
    [request.getHidediffsList().length > 0, "the resource option `hideDiffs`"],
    [hasHooks(request), "the resource option `hooks`"],
    [request.getEnvvarmappingsMap().getLength() > 0, "the resource option `envVarMappings`"],
  ];
  for (const [asked, feature] of asksFor) if (asked) throw new Unserved(feature);
}

/** Plugins come only from the paths in Pulumi.yaml; the engine never downloads one. */
export function refusePlugin(packageReference: string, downloadUrl: string): void {
  if (packageReference !== "") throw new Unserved("parameterized packages");
  if (downloadUrl !== "") throw new Unserved("the resource option `pluginDownloadURL`");
}

function hasHooks(request: RegisterResourceRequest): boolean {
  const hooks = request.getHooks()?.toObject();
  return hooks !== undefined && Object.values(hooks).some((names) => names.length > 0);
}
