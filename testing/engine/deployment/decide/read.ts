import type { ReadGoal } from "../program/goal";
import { Entry } from "../record/entry";
import { replaceStep } from "../steps/create";
import { readStep } from "../steps/read";
import type { Step } from "../steps/step";
import { findOld } from "./aliases";
import { claimUrn } from "./claim";
import type { Deployment } from "./deployment";

/**
 * Decides a read. A managed resource with the same URN and a different ID is replaced, and deleted at the end.
 */
export async function decideRead(
  deployment: Deployment,
  goal: ReadGoal,
  done: (entry: Entry) => void,
): Promise<Step[]> {
  const { marks } = deployment;
  const urn = claimUrn(deployment, goal);
  const { old, alias } = findOld(deployment, urn, { ...goal, aliases: [] });
  if (goal.id === "") throw new Error(`Expected an ID for ${urn}`);
  const entry = new Entry({
    urn,
    type: goal.type,
    custom: true,
    id: goal.id,
    inputs: goal.inputs,
    external: true,
    ...(goal.parent !== undefined && { parent: goal.parent }),
    ...(goal.provider !== undefined && { provider: goal.provider }),
    ...(goal.dependencies.length > 0 && { dependencies: goal.dependencies }),
    ...(goal.additionalSecretOutputs.length > 0 && { additionalSecretOutputs: goal.additionalSecretOutputs }),
    ...(alias !== undefined && { aliases: [alias] }),
    ...goal.position,
  });
  const tell = () => done(entry);
  if (old && !old.state.external && old.state.id !== goal.id) {
    marks.replaces.add(urn);
    return [readStep(deployment, entry, { old, replacing: true, done: tell }), replaceStep(old, entry, {})];
  }
  marks.reads.add(urn);
  return [readStep(deployment, entry, { old, replacing: false, done: tell })];
}
