import type { ResourceState } from "../../state/resource";
import { isProviderType, parseProviderReference } from "../../state/urn";
import { type PropertyValue, UNKNOWN } from "../../state/values";
import { replaces } from "../provider/diff";
import type { Entry } from "../record/entry";
import type { Deployment } from "./deployment";
import { withReplaceOnChanges } from "./replace-on-changes";

/** A resource that must be replaced because of another replacement, and the inputs that cause it. */
interface Dependent {
  readonly entry: Entry;
  readonly keys: readonly string[];
}

/**
 * The resources to replace if the root is deleted first: for each dependent, it asks the provider for a diff in which inputs
 * from the root are unknown.
 */
export async function dependentReplacements(deployment: Deployment, root: Entry): Promise<Dependent[]> {
  const { ledger, marks } = deployment;
  const { base } = ledger;
  const replaced = new Set([root.state.urn]);
  const found: Dependent[] = [];
  // A resource that is already registered cannot depend on the one being replaced now.
  const isIgnored = (urn: string) => marks.hasStep(urn);
  for (const entry of base.dependents(root, { children: false, ignored: isIgnored })) {
    const keys = await replacedBecause(deployment, entry.state, replaced);
    if (!keys) continue;
    found.push({ entry, keys });
    replaced.add(entry.state.urn);
  }
  for (const entry of base.entries) {
    const known = found.some((one) => one.entry === entry);
    if (entry.state.deletedWith === root.state.urn && !known) found.push({ entry, keys: [] });
  }
  return found;
}

/** The inputs that require a replacement; undefined if no replacement is needed. */
async function replacedBecause(
  { providers }: Deployment,
  state: ResourceState,
  replaced: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  const { urn, type, custom, external, provider, inputs = {}, outputs = {}, id = "" } = state;
  if (!custom || external) return undefined;
  if (provider !== undefined && replaced.has(parseProviderReference(provider).urn)) return [];
  if (state.deletedWith !== undefined && replaced.has(state.deletedWith)) return [];
  const touched = Object.entries(state.propertyDependencies ?? {})
    .filter(([name, urns]) => Object.hasOwn(inputs, name) && urns.some((one) => replaced.has(one)))
    .map(([name]) => name);
  if (touched.length === 0 || isProviderType(type)) return undefined;
  const unknown: Record<string, PropertyValue> = { ...inputs };
  for (const name of touched) unknown[name] = UNKNOWN;
  const server = await providers.get(provider ?? "");
  const { ignoreChanges = [], replaceOnChanges = [] } = state;
  const answer = await server.diff(urn, id, { inputs, outputs }, unknown, { ignoreChanges, preview: true });
  const diff = withReplaceOnChanges(answer, replaceOnChanges, false);
  return replaces(diff) ? diff.replaces : undefined;
}
