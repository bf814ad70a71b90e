import { Bailed } from "../operation/bailed";
import { Entry } from "../record/entry";
import { type DeleteStep, deleteReplacedStep, deleteStep, forgetStep } from "../steps/delete";
import { sameStep } from "../steps/same";
import type { Step } from "../steps/step";
import { dependentReplacements } from "./dependents";
import type { Deployment } from "./deployment";

/** The decisions on all resources without a step. */
interface Rest {
  readonly keeps: readonly Step[];
  readonly deletes: readonly DeleteStep[];
}

/** Decides which resources to delete: those that the program no longer contains, and replaced resources. */
export async function decideDeletes(deployment: Deployment): Promise<Rest> {
  const { ledger, marks, providers } = deployment;
  const allowed = await allowedDeletes(deployment);
  const keeps: Step[] = [];
  const deletes: DeleteStep[] = [];
  for (const old of ledger.base.entries) {
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

/** The targets, their dependents, and the resources that would have to be replaced with them; undefined without targets. */
async function allowedDeletes(deployment: Deployment): Promise<ReadonlySet<string> | undefined> {
  const { ledger, targets } = deployment;
  if (!targets.limit) return undefined;
  const allowed = new Set<string>();
  for (const entry of ledger.base.entries.filter(({ state }) => targets.has(state.urn))) {
    allowed.add(entry.state.urn);
    for (const dependent of ledger.base.dependents(entry, { children: true }))
      allowed.add(dependent.state.urn);
    for (const dependent of await dependentReplacements(deployment, entry))
      allowed.add(dependent.entry.state.urn);
  }
  return allowed;
}

function refuseUntargeted(deployment: Deployment, deletes: readonly Step[]): void {
  const { diagnostics, options, preview, targets } = deployment;
  if (options.targetDependents) return;
  const untargeted = deletes.filter(({ urn }) => !targets.has(urn));
  for (const { urn } of untargeted) {
    diagnostics.refuse(
      `Resource '${urn}' will be destroyed but was not specified in --target list.\n` +
        "Either include resource in --target list or pass --target-dependents to proceed.",
      urn,
    );
  }
  if (untargeted.length > 0 && !preview) throw new Bailed("delete untargeted resource");
}
