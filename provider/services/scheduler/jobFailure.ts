import {
  type Address,
  amountIn,
  isObject,
  isSuccess,
  type ObjectHookContext,
  type Route,
  send,
  stringIn,
} from "../../core";
import type { Members } from "./jobFollowed";

/** Reports the groups that a deployment did not bring to health, one line each, with the causes from their allocations. */
export async function reasonsOf(
  context: ObjectHookContext,
  allocations: { readonly route: Route; readonly address: Address },
  deployment: Members,
): Promise<string[]> {
  const found = await failedAllocations(context, allocations, deployment);
  const groups = Object.entries(isObject(deployment.TaskGroups) ? deployment.TaskGroups : {});
  return groups.flatMap(([name, state]) => {
    const { HealthyAllocs, UnhealthyAllocs, PlacedAllocs, DesiredTotal } = isObject(state) ? state : {};
    if (amountIn(HealthyAllocs) >= amountIn(DesiredTotal)) return [];
    const own = found.filter((allocation) => allocation.TaskGroup === name);
    // Prefers an allocation that reports a cause: the latest one may only replace a failed one.
    const last = own.findLast(saysWhy) ?? own.at(-1);
    return [
      `  group ${JSON.stringify(name)}: ${stringIn(HealthyAllocs)} of ${stringIn(DesiredTotal)} healthy, ${stringIn(UnhealthyAllocs)} unhealthy, ${stringIn(PlacedAllocs)} placed`,
      ...(last === undefined
        ? []
        : [`    ${stringIn(last.Name)} ${stringIn(last.ClientStatus)}: ${causesOf(last)}`]),
    ];
  });
}

/**
 * The failed or unhealthy allocations of this deployment, in order of creation. They only explain an error, so a failed read
 * returns an empty list.
 */
async function failedAllocations(
  context: ObjectHookContext,
  { route, address }: { readonly route: Route; readonly address: Address },
  deployment: Members,
): Promise<Members[]> {
  try {
    const answer = await send(context, route, address, { nature: "read" });
    if (!isSuccess(answer) || !Array.isArray(answer.json)) return [];
    return answer.json
      .filter(isObject)
      .filter(
        ({ ClientStatus, CreateIndex, DeploymentID, DeploymentStatus }) =>
          (ClientStatus === "failed" || (isObject(DeploymentStatus) && DeploymentStatus.Healthy === false)) &&
          (DeploymentID === deployment.ID || amountIn(CreateIndex) >= amountIn(deployment.CreateIndex)),
      )
      .sort((a, b) => amountIn(a.CreateIndex) - amountIn(b.CreateIndex));
  } catch {
    return [];
  }
}

/** The causes that an allocation's tasks report. */
function causesOf(allocation: Members): string {
  const each = tasksOf(allocation).flatMap(([task, events, isFailed]) => {
    const words = events.findLast(isCause) ?? (isFailed ? events.findLast(isTelling) : undefined);
    return words === undefined ? [] : [`task ${JSON.stringify(task)}: ${eventText(words)}`];
  });
  return each.length > 0 ? each.join("; ") : stringIn(allocation.ClientDescription);
}

function saysWhy(allocation: Members): boolean {
  return tasksOf(allocation).some(([, events]) => events.some(isCause));
}

function tasksOf(allocation: Members): [string, Members[], boolean][] {
  return Object.entries(isObject(allocation.TaskStates) ? allocation.TaskStates : {}).map(([task, state]) => {
    const { Events, Failed } = isObject(state) ? state : {};
    return [task, Array.isArray(Events) ? Events.filter(isObject) : [], Failed === true];
  });
}

/** Event members that state a cause; later events only describe Nomad's reaction. */
const CAUSES = ["DriverError", "SetupError", "DownloadError", "ValidationError", "SecretsError"] as const;

const TELLING = [...CAUSES, "KillError", "DriverMessage", "RestartReason", "KillReason", "Message"] as const;

function isCause(event: Members): boolean {
  return CAUSES.some((name) => event[name]) || hasExitCode(event);
}

function isTelling(event: Members): boolean {
  return TELLING.some((name) => event[name]) || hasExitCode(event);
}

function hasExitCode({ ExitCode }: Members): boolean {
  return amountIn(ExitCode ?? 0) !== 0;
}

function eventText(event: Members): string {
  const words = TELLING.map((name) => event[name]).find((text) => text);
  const exit = hasExitCode(event) ? `exit code ${stringIn(event.ExitCode)}` : undefined;
  return [stringIn(event.Type), words, exit].filter((part) => part !== undefined).join(", ");
}
