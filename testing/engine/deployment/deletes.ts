import { Bailed } from "./bailed";
import { deletionRounds } from "./base";
import { dependentReplacements } from "./dependents";
import type { Deployment } from "./deployment";
import type { Executor } from "./executor";
import { Entry } from "./ledger";
import { needsOf } from "./references";
import type { Step } from "./step";
import { type DeleteStep, deleteReplacedStep, deleteStep, forgetStep } from "./steps/delete";
import { sameStep } from "./steps/same";

/** Deletes what the program no longer has, and the old halves of replacements, in the order that they allow. */
export async function deleteTheRest(deployment: Deployment, executor: Executor): Promise<void> {
  const { ledger } = deployment;
  const { keeps, deletes } = await decide(deployment);
  const keeping = await executor.begin(keeps);
  await keeping.over;
  for (const round of deletionRounds(deletes, ledger.base)) {
    if (executor.stopped.aborted) return;
    const needed = needs(executor.kept, ledger.base);
    await executor.together(round.filter(({ old }) => !needed.has(old)));
  }
}

/** All that the given resources need, directly or not. */
function needs(entries: readonly Entry[], order: readonly Entry[]): ReadonlySet<Entry> {
  const urns = new Set(entries.flatMap(({ state }) => needsOf(state)));
  const needed = new Set<Entry>();
  for (const entry of order.toReversed()) {
    if (!urns.has(entry.state.urn)) continue;
    needed.add(entry);
    for (const urn of needsOf(entry.state)) urns.add(urn);
  }
  return needed;
}

async function decide(deployment: Deployment): Promise<{ keeps: Step[]; deletes: DeleteStep[] }> {
  const { ledger, marks, providers } = deployment;
  const allowed = await allowedDeletes(deployment);
  const keeps: Step[] = [];
  const deletes: DeleteStep[] = [];
  for (const old of ledger.base) {
    const { urn, provider } = old.state;
    if (allowed && !allowed.has(urn)) {
      if (!marks.isDealtWith(urn))
        keeps.push(sameStep(deployment, old, new Entry(old.state), { untargeted: true }));
      continue;
    }
    const step = stepFor(deployment, old);
    if (!step) continue;
    marks.deletes.add(urn);
    deletes.push(step);
    if (provider !== undefined) await providers.get(provider);
  }
  refuseUntargeted(deployment, deletes);
  return { keeps, deletes };
}

function stepFor(deployment: Deployment, old: Entry): DeleteStep | undefined {
  const { marks } = deployment;
  if (old.state.delete) {
    return marks.condemned.has(old) ? undefined : deleteReplacedStep(deployment, old, false);
  }
  if (marks.isDealtWith(old.state.urn)) return undefined;
  return old.state.pendingReplacement ? forgetStep(deployment, old) : deleteStep(deployment, old);
}

/** With targets: they, all that needs them, and what would have to be replaced with them. */
async function allowedDeletes(deployment: Deployment): Promise<ReadonlySet<string> | undefined> {
  const { base, targets } = deployment;
  if (!targets.limit) return undefined;
  const allowed = new Set<string>();
  for (const entry of base.entries.filter(({ state }) => targets.has(state.urn))) {
    allowed.add(entry.state.urn);
    for (const dependent of base.dependents(entry, new Set(), true)) allowed.add(dependent.state.urn);
    for (const dependent of await dependentReplacements(deployment, entry))
      allowed.add(dependent.entry.state.urn);
  }
  return allowed;
}

function refuseUntargeted(deployment: Deployment, deletes: readonly Step[]): void {
  const { diagnostics, marks, options, preview, targets } = deployment;
  if (options.targetDependents) return;
  const untargeted = deletes.filter(({ urn }) => !targets.has(urn));
  for (const { urn } of untargeted) {
    diagnostics.error(
      `Resource '${urn}' will be destroyed but was not specified in --target list.\n` +
        "Either include resource in --target list or pass --target-dependents to proceed.",
      urn,
    );
    marks.failed = true;
  }
  if (untargeted.length > 0 && !preview) throw new Bailed("delete untargeted resource");
}
