import {
  amountIn,
  errorFrom,
  isObject,
  isSuccess,
  type Json,
  type ObjectHookContext,
  type Observation,
  type Receipt,
  send,
  stringIn,
  summaryOf,
  type Values,
} from "../../core";
import { awaitDeployment } from "./jobDeployment";
import { awaitEvaluation, awaitPlacement } from "./jobEvaluation";
import { listOf, type Members, members, stillOurs, type Waiting } from "./jobFollowed";
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
 * @throws Error if an evaluation or a deployment fails or is canceled, with the group and the reason.
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
      context.log("warning", `${line}; Nomad places these allocations when a node has capacity`);
    return idIn(evaluation?.DeploymentID);
  }
  for (const line of unplaced) context.progress?.(line);
  const deployment = await awaitDeployment(waiting, unplaced);
  if (deployment !== undefined) return idIn(deployment.ID);
  if (evaluation !== undefined && unplaced.length > 0) await awaitPlacement(waiting, evaluation, unplaced);
  await stillOurs(waiting);
  if (evaluation !== undefined && usesDeployments(body)) await warnWithoutDeployment(waiting);
  return undefined;
}

/** True if Nomad usually creates a deployment for this job: a group updates its allocations step by step. */
function usesDeployments({ Stop, Periodic, ParameterizedJob, TaskGroups }: Members): boolean {
  const isRunning = Stop !== true && !isObject(Periodic) && !isObject(ParameterizedJob);
  return (
    isRunning &&
    members(TaskGroups ?? null).some(
      ({ Count, Update }) => Count !== 0 && isObject(Update) && amountIn(Update.MaxParallel ?? 0) > 0,
    )
  );
}

/**
 * Warns that Nomad created no deployment, so that nothing was waited for. Nomad creates none, for example, for a system job
 * that is registered again after it was reverted automatically.
 */
async function warnWithoutDeployment(waiting: Waiting): Promise<void> {
  const { context, job } = waiting;
  const running = await runningAllocations(waiting).catch(summaryOf);
  context.log(
    "warning",
    `Nomad created no deployment for version ${stringIn(job.Version)} of the job, so its health is not known. ${running}`,
    { outcome: "applied" },
  );
}

/** How many allocations run the registered version, and how many run another one, as sentences. */
async function runningAllocations(waiting: Waiting): Promise<string> {
  const { context, job } = waiting;
  const { route, address } = listOf(waiting, "allocations");
  const answer = await send(context, route, address, { nature: "read" });
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address, "read");
  const running = members(answer.json ?? null).filter(({ ClientStatus }) => ClientStatus === "running");
  const own = running.filter(({ JobVersion }) => stringIn(JobVersion) === stringIn(job.Version)).length;
  return `Allocations running this version: ${own}. Allocations running another version: ${running.length - own}.`;
}

function idIn(id: Json | undefined): string | undefined {
  return typeof id === "string" && id !== "" ? id : undefined;
}
