import { evaluate } from "../evaluations";
import { specificationDiffers, storeVersion, type Writer } from "../job-store";
import type { Deployment } from "../records";
import { keyOf } from "../world";

/**
 * Finds the latest stable version for a failed deployment. Returns the deployment's description, and `apply`, which
 * registers that version again as a new one.
 */
export function rollBack(
  writer: Writer,
  { Namespace, JobID, JobVersion }: Deployment,
  reason: string,
): { readonly description: string; readonly apply?: () => void } {
  const key = keyOf(Namespace, JobID);
  const job = writer.world.jobs.get(key);
  const target = writer.world.versions
    .get(key)
    ?.find((version) => version.Stable && version.Version < JobVersion);
  if (job === undefined || target === undefined) {
    return { description: `${reason} - no stable job version to auto revert to` };
  }
  const version = target.Version;
  if (!specificationDiffers(job, target)) {
    return {
      description: `${reason} - not rolling back to stable job version ${version} as current job has same specification`,
    };
  }
  return {
    description: `${reason} - rolling back to job version ${version}`,
    apply: () => {
      const restored = storeVersion(writer, target, "inherited");
      evaluate(writer, restored, "deployment-watcher");
    },
  };
}
