import type { ResourceState } from "../../state/resource";
import { isProviderType, parseProviderReference } from "../../state/urn";
import { equal } from "../../state/values";
import { type Diff, NO_DIFF } from "../provider/diff";
import type { Deployment } from "./deployment";

/** The difference between the existing resource and the program's goal. */
export async function compare(
  deployment: Deployment,
  old: ResourceState,
  wanted: ResourceState,
  ignoreChanges: readonly string[],
): Promise<Diff> {
  const { diagnostics, marks, preview, providers, replaced } = deployment;
  const { urn, type, custom, inputs = {} } = wanted;
  const known = { inputs: old.inputs ?? {}, outputs: old.outputs ?? {} };
  // `--replace` applies without a call to the provider.
  if (replaced.names(urn)) return replaceBecause("id");
  // A resource with `deletedWith` is replaced together with that resource.
  if (wanted.deletedWith !== undefined && marks.replaces.has(wanted.deletedWith))
    return replaceBecause("deletedWith");
  if (!(await servedBySame(deployment, old, wanted))) return replaceBecause("provider");
  if (!custom) return equal(known.inputs, inputs) ? NO_DIFF : { ...NO_DIFF, changes: "some" };
  if (isProviderType(type)) return providers.diff(urn, known, inputs);
  const server = await providers.get(wanted.provider ?? "");
  const diff = await server.diff(urn, old.id ?? "", known, inputs, { ignoreChanges, preview });
  if (diff.doubt !== undefined) diagnostics.warning(diff.doubt, urn);
  return diff;
}

/** True if the provider is the same, or the new provider does not require its resources to be replaced. */
async function servedBySame(
  { marks, providers }: Deployment,
  { provider: before = "" }: ResourceState,
  { provider: after = "" }: ResourceState,
): Promise<boolean> {
  if (before === after) return true;
  if (before === "" || after === "") return false;
  const renamed = marks.renamed.get(parseProviderReference(before).urn);
  return renamed === parseProviderReference(after).urn || !(await providers.mustReplace(before, after));
}

/** A replacement that the provider did not request. */
const replaceBecause = (key: string): Diff => ({ ...NO_DIFF, changes: "some", replaces: [key] });
