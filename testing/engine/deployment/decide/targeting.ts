import { needsOf } from "../../state/references";
import type { ResourceState } from "../../state/resource";
import { isProviderType, isStack } from "../../state/urn";
import { Bailed } from "../operation/bailed";
import { Entry } from "../record/entry";
import { sameStep } from "../steps/same";
import type { Step } from "../steps/step";
import type { Deployment } from "./deployment";

/** True if the operation may change the resource; the stack and providers are always included. */
export function includes(deployment: Deployment, state: ResourceState): boolean {
  return isProviderType(state.type) || isStack(state.urn) || isTarget(deployment, state);
}

/** True for a target, and with `--target-dependents` also for its dependents. */
export function isTarget({ options, targets }: Deployment, state: ResourceState): boolean {
  if (targets.has(state.urn)) return true;
  return options.targetDependents === true && needsOf(state).some((urn) => targets.has(urn));
}

/** Skips the creation of a resource that is not a target: the state does not contain it. */
export function skipCreate(deployment: Deployment, entry: Entry, tell: () => void): Step[] {
  const { sames, skipped } = deployment.marks;
  sames.add(entry.state.urn);
  skipped.add(entry.state.urn);
  return [sameStep(deployment, new Entry(entry.state), entry, { skipped: true, done: tell })];
}

/** Keeps a resource that is not a target unchanged, after its unregistered dependencies. */
export function keepUntargeted(
  deployment: Deployment,
  old: Entry,
  urn: string,
  tell?: (kept: Entry) => void,
): Step[] {
  const { ledger, marks } = deployment;
  if (old.state.delete) return [];
  for (const set of [marks.urns, marks.sames]) set.add(old.state.urn);
  marks.sames.add(urn);
  const before = needsOf(old.state).flatMap((name) => {
    if (marks.hasStep(name)) return [];
    const needed = ledger.base.get(name);
    if (!needed) throw new Bailed(`dependency ${name} of untargeted resource ${urn} has no old state`);
    return keepUntargeted(deployment, needed, name);
  });
  const kept = new Entry(old.state);
  return [...before, sameStep(deployment, old, kept, { untargeted: true, done: () => tell?.(kept) })];
}

/** Refuses a step that depends on a resource that was skipped because it is not a target. */
export function refuseSkippedNeeds(deployment: Deployment, steps: readonly Step[]): void {
  const { diagnostics, marks, preview, targets } = deployment;
  if (!targets.limit) return;
  for (const step of steps) {
    if (!step.new || marks.skipped.has(step.urn)) continue;
    for (const urn of needsOf(step.new.state)) {
      if (!marks.skipped.has(urn)) continue;
      diagnostics.refuse(
        `Resource '${step.urn}' depends on '${urn}' which was was not specified in --target list.`,
        step.urn,
      );
      if (!preview) throw new Bailed("untargeted create");
      marks.skipped.delete(urn);
    }
  }
}

/** Reports targets that are neither in the state nor in the program. */
export function checkTargets({ diagnostics, ledger, marks, targets }: Deployment): void {
  const missing = targets.named.filter((urn) => !ledger.base.has(urn) && !marks.urns.has(urn));
  for (const urn of missing) {
    const hint = urn.includes("$") ? "" : " Did you forget to escape $ in your shell?";
    diagnostics.error(`Target '${urn}' could not be found in the stack.${hint}`);
  }
  if (missing.length > 0) throw new Bailed("one or more targets could not be found in the stack");
}
