import type { Address, Observation, Values } from "../../core/define";
import { isObject, type Json } from "../../core/json";
import type { StepContext } from "../../core/steps/context";
import { followed } from "../../core/steps/follow";
import { observe } from "../../core/steps/observe";
import { nameOf } from "../../core/steps/resource";
import { reasonsOf } from "./jobFailure";

type Members = { readonly [member: string]: Json };

/**
 * Waits after a register, as long as the program asks for it and the operation may take: until the scheduler has
 * decided (`evaluation`), or until every group is healthy (`deployment`). What has no evaluation (a periodic or a
 * parameterised job) or no deployment (a batch job) is not waited for.
 * @throws Error where a deployment fails or is cancelled, with the group and why.
 */
export async function waitForJob(
  context: StepContext,
  { wait }: Values,
  { body, address }: Observation,
  answer: Json | undefined,
): Promise<void> {
  if (wait !== "evaluation" && wait !== "deployment") return;
  const waiting = {
    context,
    address,
    job: body,
    name: nameOf(context.definition, address, context.connection),
  };
  await evaluated(waiting, isObject(answer) ? answer.EvalID : undefined);
  if (wait === "deployment") await deployed(waiting);
}

/** What is waited for. */
interface Waiting {
  readonly context: StepContext;
  readonly address: Address;
  readonly job: Members;
  readonly name: string;
}

/** @param id of the evaluation that the register started; empty where it started none, unknown where its answer was lost */
async function evaluated(waiting: Waiting, id: Json | undefined): Promise<void> {
  if (id === "") return;
  const { context, job, name } = waiting;
  let status = "unknown";
  const evaluation = await followed(
    context,
    listOf(waiting, "evaluations"),
    (answer): Members | "none" | undefined => {
      const found = members(answer).filter((one) =>
        id === undefined ? isOfRegister(one, job) : one.ID === id,
      );
      const latest = newest(found);
      // A register that started no evaluation has none to wait for.
      if (latest === undefined) return id === undefined ? "none" : undefined;
      if (latest.Status !== status) context.progress?.(`evaluation ${short(latest.ID)}: ${latest.Status}`);
      status = String(latest.Status);
      return status === "pending" ? undefined : latest;
    },
    () => new Error(`${name}: the evaluation is still ${status} ${OVERDUE}`),
  );
  if (evaluation === "none") return;
  // One is cancelled for a newer one, which may be of a register of somebody else.
  if (evaluation.Status === "canceled") await stillOurs(waiting);
  if (evaluation.Status === "failed") {
    throw new Error(
      `${name}: the evaluation ${short(evaluation.ID)} failed: ${evaluation.StatusDescription}`,
    );
  }
  const unplaced = Object.entries(isObject(evaluation.QueuedAllocations) ? evaluation.QueuedAllocations : {});
  const waitingOnes = unplaced.filter(([, count]) => Number(count) > 0);
  if (waitingOnes.length > 0) {
    const groups = waitingOnes
      .map(([group, count]) => `${count} of group ${JSON.stringify(group)}`)
      .join(", ");
    context.log("warning", `no node can take ${groups} now; the scheduler places them when one can`);
  }
}

function isOfRegister(evaluation: Members, job: Members): boolean {
  return (
    evaluation.TriggeredBy === "job-register" &&
    String(evaluation.JobModifyIndex) === String(job.JobModifyIndex)
  );
}

/** The evaluation has made the deployment by now, if there is to be one. */
async function deployed(waiting: Waiting): Promise<void> {
  const { context, job, name } = waiting;
  let shown = "";
  const deployment = await followed(
    context,
    listOf(waiting, "deployments"),
    (answer): Members | "none" | undefined => {
      const latest = newest(members(answer).filter((one) => isOfVersion(one, job)));
      if (latest === undefined) return "none";
      const now = standingOf(latest);
      if (now !== shown) context.progress?.(now);
      shown = now;
      return ENDED.has(String(latest.Status)) ? latest : undefined;
    },
    () => new Error(`${name}: the deployment is not done ${OVERDUE}\n  ${shown}`),
  );
  if (deployment === "none") return stillOurs(waiting);
  if (deployment.Status === "successful") return;
  const reasons = await reasonsOf(context, listOf(waiting, "allocations"), deployment);
  throw new Error(
    [
      `${name}: the deployment ${short(deployment.ID)} ${deployment.Status}: ${deployment.StatusDescription}`,
      ...reasons,
      "  The job itself is registered and stays in the state; the next pulumi up updates it.",
    ].join("\n"),
  );
}

/**
 * Where a job has no deployment it may have none to wait for, or somebody was there before its deployment was.
 * @throws Error where the service does not hold what was registered any more.
 */
async function stillOurs({ context, address, job, name }: Waiting): Promise<void> {
  const now = (await observe(context, address))?.body;
  const never = (why: string) => new Error(`${name} as it was registered was never deployed: ${why}`);
  if (now === undefined) throw never("it is gone; somebody else purged it");
  if (now.Stop === true && job.Stop !== true) throw never("it was stopped by somebody else");
  if (String(now.JobModifyIndex) !== String(job.JobModifyIndex))
    throw never("another version of it is registered by somebody else");
}

const OVERDUE =
  "after as long as this operation may take (timeouts); the job is registered, and the next pulumi up goes on waiting";
const ENDED = new Set(["successful", "failed", "cancelled"]);

/** Whether a deployment is the one of this very specification of the job. */
function isOfVersion(deployment: Members, job: Members): boolean {
  return (
    String(deployment.JobSpecModifyIndex) === String(job.JobModifyIndex) &&
    String(deployment.JobCreateIndex) === String(job.CreateIndex)
  );
}

/** How far a deployment is: `deployment 1a2b3c4d running: front 2 placed, 1 healthy of 3`. */
function standingOf(deployment: Members): string {
  const groups = Object.entries(isObject(deployment.TaskGroups) ? deployment.TaskGroups : {});
  const each = groups.map(([group, state]) => {
    const { PlacedAllocs, HealthyAllocs, UnhealthyAllocs, DesiredTotal } = isObject(state) ? state : {};
    const bad = Number(UnhealthyAllocs) > 0 ? `, ${UnhealthyAllocs} unhealthy` : "";
    return `${group} ${PlacedAllocs} placed, ${HealthyAllocs} healthy${bad} of ${DesiredTotal} desired`;
  });
  const promotion = /promotion/.test(String(deployment.StatusDescription))
    ? ` (${deployment.StatusDescription})`
    : "";
  return `deployment ${short(deployment.ID)} ${deployment.Status}${promotion}: ${each.join("; ")}`;
}

function listOf({ address }: Waiting, of: "evaluations" | "deployments" | "allocations") {
  const query = { namespace: "{namespace}", region: "{region}" };
  return { route: { method: "GET", path: `/job/{jobId}/${of}`, query }, address } as const;
}

function members(answer: Json): Members[] {
  return Array.isArray(answer) ? answer.filter(isObject) : [];
}

function newest(found: readonly Members[]): Members | undefined {
  return found.reduce<Members | undefined>(
    (last, next) => (Number(next.CreateIndex) >= Number(last?.CreateIndex ?? -1) ? next : last),
    undefined,
  );
}

function short(id: Json | undefined): string {
  return String(id).slice(0, 8);
}
