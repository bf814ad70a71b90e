import type { ConfigurationVersion } from "./run-records";
import type { World } from "./world";

/** Stores the files. The configuration becomes the current one of its workspace, unless it is provisional or speculative. */
export function storeConfiguration(world: World, version: ConfigurationVersion): void {
  world.configurationVersions.set(version.id, version);
  const workspace = world.workspaces.get(version.workspace);
  if (workspace === undefined || version.provisional || version.speculative || !isArchive(version)) return;
  const related = { ...workspace.related, "current-configuration-version": version.id };
  world.workspaces.set(workspace.id, { ...workspace, related });
}

/** True if the files begin as a `tar.gz` file. */
export function isArchive({ files }: ConfigurationVersion): boolean {
  return (
    Buffer.from(files ?? "", "base64")
      .subarray(0, 2)
      .toString("hex") === "1f8b"
  );
}
