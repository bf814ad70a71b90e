import { withoutGone } from "../../state/references";
import type { Deployment } from "../decide/deployment";
import { checkTargets, isTarget } from "../decide/targeting";
import type { Executor } from "../execute/executor";
import type { Entry } from "../record/entry";
import { type RefreshStep, refreshStep } from "../steps/refresh";

/** Refreshes all or selected resources, and continues with the refreshed state. */
export async function refresh(
  deployment: Deployment,
  executor: Executor,
  isToBe: (entry: Entry) => boolean = () => true,
): Promise<void> {
  const { ledger, providers, targets } = deployment;
  if (ledger.base.entries.length === 0) return;
  checkTargets(deployment);
  const steps = new Map<Entry, RefreshStep>();
  for (const entry of ledger.base.entries) {
    if (!isToBe(entry) || !isTarget(deployment, entry.state)) continue;
    targets.add(entry.state.urn);
    if (entry.state.provider !== undefined) await providers.get(entry.state.provider);
    steps.set(entry, refreshStep(deployment, entry));
  }
  await executor.together([...steps.values()]);
  ledger.rebase(resourcesAfter(ledger.base.entries, steps));
}

/** The resources after the refresh, without references to deleted ones. */
function resourcesAfter(base: readonly Entry[], steps: ReadonlyMap<Entry, RefreshStep>): Entry[] {
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
