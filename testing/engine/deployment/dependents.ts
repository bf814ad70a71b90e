import { type PropertyValue, type ResourceState, UNKNOWN } from "../state";
import type { Deployment } from "./deployment";
import { replaces, settle, withReplaceOnChanges } from "./diff";
import type { Entry } from "./ledger";
import { isProviderType, parseProviderReference } from "./urn";

/** A resource that must be replaced because another one is, and the inputs that make it so. */
interface Dependent {
  readonly entry: Entry;
  readonly keys: readonly string[];
}

/**
 * What must be replaced when the root is deleted first: of all that needs it, what its provider would replace
 * if the inputs that come from the root were not known.
 */
export async function dependentReplacements(deployment: Deployment, root: Entry): Promise<Dependent[]> {
  const { base, marks } = deployment;
  // What is registered already cannot depend on what is only now being replaced.
  const settled = new Set([
    ...marks.reads,
    ...marks.creates,
    ...marks.sames,
    ...marks.updates,
    ...marks.deletes,
    ...marks.replaces,
  ]);
  const replaced = new Set([root.state.urn]);
  const found: Dependent[] = [];
  for (const entry of base.dependents(root, settled, false)) {
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

/** The inputs for which the resource must be replaced, undefined where it need not be. */
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
    .filter(([name, urns]) => name in inputs && urns.some((one) => replaced.has(one)))
    .map(([name]) => name);
  if (touched.length === 0 || isProviderType(type)) return undefined;
  const unknown: Record<string, PropertyValue> = { ...inputs };
  for (const name of touched) unknown[name] = UNKNOWN;
  const server = await providers.get(provider ?? "");
  const { ignoreChanges = [], replaceOnChanges = [] } = state;
  const answer = await server.diff(urn, id, { inputs, outputs }, unknown, { ignoreChanges, preview: true });
  const diff = withReplaceOnChanges(settle(answer, inputs, unknown, ignoreChanges), replaceOnChanges, false);
  return replaces(diff) ? diff.replaces : undefined;
}
