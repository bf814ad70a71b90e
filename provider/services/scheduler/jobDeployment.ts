import { ActionableError, amountIn, follow, isObject, refreshFirst, rerunUp, stringIn } from "../../core";
import { reasonsOf } from "./jobFailure";
import {
  listOf,
  type Members,
  members,
  newest,
  overdue,
  SHOWN_FIRST,
  short,
  type Waiting,
} from "./jobFollowed";

/**
 * Waits for the deployment of this job version. The evaluation has already created the deployment, if the job has one.
 * @returns the deployment, if there is one
 * @throws Error if the deployment fails or is canceled, with the group and the reason.
 */
export async function awaitDeployment(
  waiting: Waiting,
  unplaced: readonly string[],
): Promise<Members | undefined> {
  const { context, job, name } = waiting;
  const told = new Set<string>();
  let now: string[] = [];
  const tell = (line: string) => {
    if (!told.has(line)) context.progress?.(line);
    told.add(line);
  };
  const deployment = await follow(
    context,
    listOf(waiting, "deployments"),
    (answer): Members | "none" | undefined => {
      const latest = newest(members(answer).filter((one) => isOfVersion(one, job)));
      if (latest === undefined) return "none";
      now = [progressOf(latest), ...promotionOf(waiting, latest)];
      for (const line of now) tell(line);
      return ENDED.has(stringIn(latest.Status)) ? latest : undefined;
    },
    () => overdue(`${name}: the deployment is not finished`, [...now, ...unplaced]),
  );
  if (deployment === "none") return undefined;
  if (deployment.Status === "successful") return deployment;
  const reasons = await reasonsOf(context, listOf(waiting, "allocations"), deployment);
  throw new ActionableError(
    [
      `${name}: the deployment ${short(deployment.ID)} ${stringIn(deployment.Status)}: ${stringIn(deployment.StatusDescription)}`,
      ...reasons,
      "  The job itself is registered and stays in the state.",
    ].join("\n"),
    // Nomad cancels a deployment if someone registers another version or stops the job.
    [deployment.Status === "cancelled" ? refreshFirst(SHOWN_FIRST) : rerunUp(" to update the job")],
    { outcome: "applied" },
  );
}

const ENDED = new Set(["successful", "failed", "cancelled"]);

/** True if the deployment belongs to this exact version of the job's specification. */
function isOfVersion(deployment: Members, job: Members): boolean {
  return (
    stringIn(deployment.JobSpecModifyIndex) === stringIn(job.JobModifyIndex) &&
    stringIn(deployment.JobCreateIndex) === stringIn(job.CreateIndex)
  );
}

/**
 * The progress of a deployment: `front 1 of 3 healthy, 2 placed (deployment 1a2b3c4d running)`. The changing part comes
 * first, because Pulumi cuts the line at the window's edge.
 */
function progressOf(deployment: Members): string {
  const each = groupsOf(deployment).map(([group, state]) => {
    const { PlacedAllocs, HealthyAllocs, UnhealthyAllocs, DesiredTotal } = state;
    const bad = amountIn(UnhealthyAllocs) > 0 ? `, ${stringIn(UnhealthyAllocs)} unhealthy` : "";
    return `${group} ${stringIn(HealthyAllocs)} of ${stringIn(DesiredTotal)} healthy${bad}, ${stringIn(PlacedAllocs)} placed`;
  });
  const promotion = /promotion/.test(stringIn(deployment.StatusDescription))
    ? `: ${stringIn(deployment.StatusDescription)}`
    : "";
  return `${each.join("; ")} (deployment ${short(deployment.ID)} ${stringIn(deployment.Status)}${promotion})`;
}

/** The command that an operator must run if the canaries are healthy and Nomad does not promote them automatically. */
function promotionOf({ context, address }: Waiting, deployment: Members): string[] {
  const ready = groupsOf(deployment).filter(
    ([, { DesiredCanaries, HealthyAllocs, Promoted, AutoPromote }]) =>
      amountIn(DesiredCanaries) > 0 &&
      amountIn(HealthyAllocs) >= amountIn(DesiredCanaries) &&
      Promoted !== true &&
      AutoPromote !== true,
  );
  if (ready.length === 0 || deployment.Status !== "running") return [];
  const groups = ready.map(([group]) => JSON.stringify(group)).join(", ");
  const where = Object.entries({ namespace: address.namespace, region: address.region })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)] as const);
  const { program } = context.connection.dialect;
  const id = stringIn(deployment.ID);
  const query = new URLSearchParams(Object.fromEntries(where)).toString();
  const command =
    program === undefined
      ? `PUT /v1/deployment/promote/${id}${query && `?${query}`} with {"DeploymentID": "${id}", "All": true}`
      : `${[program, "deployment promote", ...where.map(([name, value]) => `-${name}=${value}`), id].join(" ")}`;
  return [`the canaries of group ${groups} are healthy and wait to be promoted: ${command}`];
}

function groupsOf({ TaskGroups }: Members): [string, Members][] {
  return Object.entries(isObject(TaskGroups) ? TaskGroups : {}).map(([group, state]) => [
    group,
    isObject(state) ? state : {},
  ]);
}
