import type { ResourceState } from "../../state/resource";
import { Bailed } from "../operation/bailed";
import type { Goal } from "../program/goal";
import { replaces } from "../provider/diff";
import { Entry } from "../record/entry";
import { createStep } from "../steps/create";
import { importSteps } from "../steps/import";
import { sameStep } from "../steps/same";
import { reasonsOf, type Step } from "../steps/step";
import { updateStep } from "../steps/update";
import { type Found, findOld } from "./aliases";
import { checkInputs } from "./check";
import { claimUrn } from "./claim";
import { compare } from "./compare";
import type { Deployment } from "./deployment";
import { desiredState } from "./desired";
import { recreate, replace, replaceAfterwards } from "./replace";
import { withReplaceOnChanges } from "./replace-on-changes";
import { includes, isTarget, keepUntargeted, refuseSkippedNeeds, skipCreate } from "./targeting";

/** Callbacks for the result of a decision. */
export interface FollowUp {
  /** Returns a resource to the program; `unknown` is true if a targeted update left it out. */
  done(entry: Entry, unknown: boolean): void;
  /** Schedules a further decision: an imported resource must be read first. */
  goOn(decide: () => Promise<Step[]>): void;
}

/** Decides the steps for one registered resource, in order. */
export async function register(deployment: Deployment, goal: Goal, followUp: FollowUp): Promise<Step[]> {
  const urn = claimUrn(deployment, goal);
  const found = findOld(deployment, urn, goal);
  const { old, alias, valid } = found;
  const entry = new Entry(desiredState(urn, goal, old?.state, alias));
  if (valid && isImport(goal, old?.state)) {
    deployment.marks.imports.add(urn);
    const continueImport = () =>
      followUp.goOn(() => {
        const next = new Entry(desiredState(urn, goal, entry.state, alias));
        return runCheck(deployment, next, goal, { old: entry, alias, valid }, followUp);
      });
    return importSteps(deployment, entry, {
      old,
      recreating: deployment.marks.deletes.has(urn),
      imported: continueImport,
    });
  }
  return runCheck(deployment, entry, goal, found, followUp);
}

/** True if the goal has an import ID, and the state does not contain this resource under that ID. */
function isImport({ custom, importId }: Goal, old: ResourceState | undefined): boolean {
  if (!custom || importId === undefined) return false;
  return !old || old.external === true || (old.importID || old.id) !== importId;
}

async function runCheck(
  deployment: Deployment,
  entry: Entry,
  goal: Goal,
  found: Found,
  followUp: FollowUp,
): Promise<Step[]> {
  const steps = await decide(deployment, entry, goal, found, followUp);
  refuseSkippedNeeds(deployment, steps);
  return steps;
}

async function decide(
  deployment: Deployment,
  entry: Entry,
  goal: Goal,
  { old, valid }: Found,
  { done }: FollowUp,
): Promise<Step[]> {
  const { marks, targets } = deployment;
  const { urn } = entry.state;
  const tell = () => done(entry, false);
  const targeted = includes(deployment, entry.state);
  const recreating = marks.deletes.has(urn);
  const taken = old?.state.external === true;

  if (goal.custom) {
    const against = recreating || taken || deployment.replaced.names(urn) ? undefined : old?.state;
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

/** Updates, replaces or keeps an existing resource. */
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
  if (marks.imports.has(urn)) {
    // The imported resource already matches the goal.
    entry.state = old.state;
    tell();
    return [];
  }
  marks.sames.add(urn);
  return [sameStep(deployment, old, entry, { done: tell })];
}
