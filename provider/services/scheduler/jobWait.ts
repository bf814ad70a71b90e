import {
  isObject,
  type Json,
  type ObjectHookContext,
  type Observation,
  type Receipt,
  type Values,
} from "../../core";
import { deployed } from "./jobDeployment";
import { decided, placed } from "./jobEvaluation";
import { stillOurs } from "./jobFollowed";
import { unplacedIn } from "./jobUnplaced";

/** Waits for what the program asks for. */
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
 * Waits after a register, as long as the program asks for it and the operation may take: until the scheduler has
 * decided (`evaluation`), or until every group is healthy (`deployment`). What has no evaluation (a periodic or a
 * parameterised job) or no deployment (a batch job) is not waited for. What no node can take now is told at once; a
 * wait for the deployment goes on, because that is what more nodes are started for.
 * @returns the deployment, where one is known of
 * @throws Error where an evaluation or a deployment fails or is cancelled, with the group and why.
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
  const evaluation = await decided(waiting, evaluationId);
  const unplaced = evaluation === undefined ? [] : unplacedIn(evaluation);
  if (wait === "evaluation") {
    for (const line of unplaced)
      context.log("warning", `${line}; the scheduler places them when a node can take them`);
    return idIn(evaluation?.DeploymentID);
  }
  for (const line of unplaced) context.progress?.(line);
  const deployment = await deployed(waiting, unplaced);
  if (deployment !== undefined) return idIn(deployment.ID);
  if (evaluation !== undefined && unplaced.length > 0) await placed(waiting, evaluation, unplaced);
  await stillOurs(waiting);
  return undefined;
}

function idIn(id: Json | undefined): string | undefined {
  return typeof id === "string" && id !== "" ? id : undefined;
}
