import { Bailed } from "../operation/bailed";
import type { Goal } from "../program/goal";
import { replaces } from "../provider/diff";
import { Entry } from "../record/entry";
import { createStep } from "../steps/create";
import { sameStep } from "../steps/same";
import { reasonsOf, type Step } from "../steps/step";
import { updateStep } from "../steps/update";
import { findOld } from "./aliases";
import { checkInputs } from "./check";
import { claimUrn } from "./claim";
import { compare } from "./compare";
import type { Deployment } from "./deployment";
import { desiredState } from "./desired";
import { recreate, replace, replaceAfterwards } from "./replace";
import { withReplaceOnChanges } from "./replace-on-changes";
import { includes, isTarget, keepUntargeted, refuseSkippedNeeds, skipCreate } from "./targeting";

/** What the program is told of a resource; `unknown` where it was left out of a limited update. */
type Registered = (entry: Entry, unknown: boolean) => void;

/** Decides what to do about one resource that the program wants: the steps, in order. */
export async function register(deployment: Deployment, goal: Goal, done: Registered): Promise<Step[]> {
  const steps = await decide(deployment, goal, done);
  refuseSkippedNeeds(deployment, steps);
  return steps;
}

async function decide(deployment: Deployment, goal: Goal, done: Registered): Promise<Step[]> {
  const { marks, targets } = deployment;
  const urn = claimUrn(deployment, goal);
  const { old, alias, valid } = findOld(deployment, urn, goal);
  const entry = new Entry(desiredState(urn, goal, old?.state, alias));
  const tell = () => done(entry, false);
  const targeted = includes(deployment, entry.state);
  const recreating = marks.deletes.has(urn);
  const taken = old?.state.external === true;

  if (goal.custom) {
    const against = recreating || taken ? undefined : old?.state;
    const inputs = targeted
      ? await checkInputs(deployment, entry.state, goal, against)
      : (old?.state.inputs ?? {});
    if (inputs === undefined) throw new Bailed(`resource ${urn} is invalid`);
    entry.state = { ...entry.state, inputs };
  }
  if (!valid) throw new Bailed(`resource ${urn} is invalid`);

  if (old && recreating) return recreate(deployment, old, entry, tell);
  if (old && taken) {
    marks.creates.add(urn);
    return replaceAfterwards(deployment, old, entry, {}, tell);
  }
  if (targeted && isTarget(deployment, entry.state)) targets.add(urn);
  if (old && !targeted) return keepUntargeted(deployment, old, urn, (kept) => done(kept, false));
  if (old) return change(deployment, old, entry, goal, tell);
  if (!targeted) return skipCreate(deployment, entry, () => done(entry, true));
  marks.creates.add(urn);
  return [createStep(deployment, entry, tell)];
}

/** Updates, replaces or keeps what there is. */
async function change(
  deployment: Deployment,
  old: Entry,
  entry: Entry,
  goal: Goal,
  tell: () => void,
): Promise<Step[]> {
  const { marks } = deployment;
  const { urn } = entry.state;
  const broken = (old.state.initErrors ?? []).length > 0;
  const found = await compare(deployment, old.state, entry.state, goal.ignoreChanges);
  const diff = withReplaceOnChanges(found, goal.replaceOnChanges, broken);
  const changed = diff.changes === "some";
  if ((changed && replaces(diff)) || old.state.pendingReplacement) {
    return replace(deployment, old, entry, goal, diff, tell);
  }
  if (changed || broken) {
    marks.updates.add(urn);
    const why = reasonsOf(diff);
    return [updateStep(deployment, old, entry, { why, ignoreChanges: goal.ignoreChanges, done: tell })];
  }
  marks.sames.add(urn);
  return [sameStep(deployment, old, entry, { done: tell })];
}
