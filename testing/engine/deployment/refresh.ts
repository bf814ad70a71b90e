import type { ResourceState } from "../state";
import { Base } from "./base";
import type { Deployment } from "./deployment";
import type { Executor } from "./executor";
import type { Entry } from "./ledger";
import { type RefreshStep, refreshStep } from "./steps/refresh";
import { checkTargets, isTarget } from "./targeting";

/** Reads every resource again, and goes on with what was found. */
export async function refresh(deployment: Deployment, executor: Executor): Promise<void> {
  const { ledger, providers, targets } = deployment;
  if (ledger.base.length === 0) return;
  checkTargets(deployment);
  const steps = new Map<Entry, RefreshStep>();
  for (const entry of ledger.base) {
    if (!isTarget(deployment, entry.state)) continue;
    targets.add(entry.state.urn);
    if (entry.state.provider !== undefined) await providers.get(entry.state.provider);
    steps.set(entry, refreshStep(deployment, entry));
  }
  await executor.together([...steps.values()]);
  ledger.rebase(found(ledger.base, steps));
  deployment.base = new Base(ledger.base);
}

/** What stands after the refresh, without references to what has gone. */
function found(base: readonly Entry[], steps: ReadonlyMap<Entry, RefreshStep>): Entry[] {
  const standing = new Set<string>();
  const parents = new Map<string, string | undefined>();
  const entries: Entry[] = [];
  for (const entry of base) {
    const step = steps.get(entry);
    const current = step ? step.found() : entry;
    if (!current) {
      parents.set(entry.state.urn, entry.state.parent);
      continue;
    }
    standing.add(current.state.urn);
    current.state = withoutGone(current.state, standing, parents);
    entries.push(current);
  }
  return entries;
}

function withoutGone(
  state: ResourceState,
  standing: ReadonlySet<string>,
  parents: ReadonlyMap<string, string | undefined>,
): ResourceState {
  const gone = (urn: string | undefined) => urn !== undefined && !standing.has(urn);
  const needed = [state.parent, state.deletedWith, ...(state.dependencies ?? [])];
  const lists = Object.values(state.propertyDependencies ?? {}).flat();
  if (![...needed, ...lists].some(gone)) return state;
  const { parent: _parent, deletedWith, ...rest } = state;
  let parent = state.parent;
  while (parent !== undefined && gone(parent)) parent = parents.get(parent);
  return {
    ...rest,
    ...(parent !== undefined && { parent }),
    ...(deletedWith !== undefined && !gone(deletedWith) && { deletedWith }),
    ...(state.dependencies && { dependencies: state.dependencies.filter((urn) => !gone(urn)) }),
    ...(state.propertyDependencies && {
      propertyDependencies: Object.fromEntries(
        Object.entries(state.propertyDependencies).map(([name, urns]) => [
          name,
          urns.filter((urn) => !gone(urn)),
        ]),
      ),
    }),
  };
}
