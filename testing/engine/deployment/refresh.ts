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
  const entries: Entry[] = [];
  for (const entry of base) {
    const step = steps.get(entry);
    const current = step ? step.found() : entry;
    if (!current) continue;
    current.state = withoutGone(current.state, (urn) => standing.has(urn));
    standing.add(current.state.urn);
    entries.push(current);
  }
  return entries;
}

/** Lists that have become empty go too, as all that refers to nothing. */
function withoutGone(state: ResourceState, stands: (urn: string) => boolean): ResourceState {
  const { parent, deletedWith, dependencies = [], propertyDependencies = {}, ...rest } = state;
  const needed = dependencies.filter(stands);
  const perProperty = Object.entries(propertyDependencies)
    .map(([name, urns]) => [name, urns.filter(stands)] as const)
    .filter(([, urns]) => urns.length > 0);
  return {
    ...rest,
    ...(parent !== undefined && stands(parent) && { parent }),
    ...(deletedWith !== undefined && stands(deletedWith) && { deletedWith }),
    ...(needed.length > 0 && { dependencies: needed }),
    ...(perProperty.length > 0 && { propertyDependencies: Object.fromEntries(perProperty) }),
  };
}
