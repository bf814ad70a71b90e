import {
  isObject,
  type Json,
  type ObjectHookContext,
  type Observation,
  type Receipt,
  type Values,
} from "../../core";
import { awaitDeployment } from "./jobDeployment";
import { awaitEvaluation, awaitPlacement } from "./jobEvaluation";
import { stillOurs } from "./jobFollowed";
import { placementFailures } from "./jobUnplaced";

/** Waits after a register, if the program sets `wait`. */
export async function afterRegister(
  context: ObjectHookContext,
  inputs: Values,
  written: Observation,
  answer: Json | undefined,
): Promise<Receipt> {
  const { EvalID: evaluation } = isObject(answer) ? answer : {};
  return { deploymentId: await waitForJob(context, inputs, written, evaluation) };
}

/**
 * Waits after a register, within the operation's timeout: for the scheduler's decision (`evaluation`), or for the health of
 * every group (`deployment`). Does not wait for a job without an evaluation (periodic or parameterized) or without a
 * deployment (batch). Immediately reports allocations that no node can take. A wait for the deployment continues, because
 * such allocations are the reason to start more nodes.
 * @returns the deployment, if one is known
 * @throws Error if an evaluation or a deployment fails or is cancelled, with the group and the reason.
 */
async function waitForJob(
  context: ObjectHookContext,
  { wait }: Values,
  { body, address }: Observation,
  evaluationId: Json | undefined,
): Promise<string | undefined> {
  if (wait !== "evaluation" && wait !== "deployment") return undefined;
  const name = context.name(address);
  const waiting = { context, address, job: body, name };
  const evaluation = await awaitEvaluation(waiting, evaluationId);
  const unplaced = evaluation === undefined ? [] : placementFailures(evaluation);
  if (wait === "evaluation") {
    for (const line of unplaced)
      context.log("warning", `${line}; the scheduler places them when a node can take them`);
    return idIn(evaluation?.DeploymentID);
  }
  for (const line of unplaced) context.progress?.(line);
  const deployment = await awaitDeployment(waiting, unplaced);
  if (deployment !== undefined) return idIn(deployment.ID);
  if (evaluation !== undefined && unplaced.length > 0) await awaitPlacement(waiting, evaluation, unplaced);
  await stillOurs(waiting);
  return undefined;
}

function idIn(id: Json | undefined): string | undefined {
  return typeof id === "string" && id !== "" ? id : undefined;
}
