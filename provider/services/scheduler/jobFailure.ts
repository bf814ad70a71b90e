import type { Address, Route } from "../../core/define";
import { isObject, type Json } from "../../core/json";
import { type StepContext, send } from "../../core/steps/context";
import { isSuccess } from "../../core/steps/observe";

type Members = { readonly [member: string]: Json };

/** Which groups a deployment did not bring to health, and what their allocations say of it: a line each. */
export async function reasonsOf(
  context: StepContext,
  allocations: { readonly route: Route; readonly address: Address },
  deployment: Members,
): Promise<string[]> {
  const found = await failed(context, allocations, deployment);
  const groups = Object.entries(isObject(deployment.TaskGroups) ? deployment.TaskGroups : {});
  return groups.flatMap(([name, state]) => {
    const { HealthyAllocs, UnhealthyAllocs, PlacedAllocs, DesiredTotal } = isObject(state) ? state : {};
    if (Number(HealthyAllocs) >= Number(DesiredTotal)) return [];
    const last = found.findLast((allocation) => allocation.TaskGroup === name);
    return [
      `  group ${JSON.stringify(name)}: ${HealthyAllocs} of ${DesiredTotal} healthy, ${UnhealthyAllocs} unhealthy, ${PlacedAllocs} placed`,
      ...(last === undefined ? [] : [`    ${last.Name} ${last.ClientStatus}: ${said(last)}`]),
    ];
  });
}

/** The allocations of this deployment that failed, in their order. They only explain, so that a failure to read them is none. */
async function failed(
  context: StepContext,
  { route, address }: { readonly route: Route; readonly address: Address },
  deployment: Members,
): Promise<Members[]> {
  try {
    const answer = await send(context, route, address, { nature: "read" });
    if (!isSuccess(answer) || !Array.isArray(answer.json)) return [];
    return answer.json
      .filter(isObject)
      .filter(
        ({ ClientStatus, CreateIndex }) =>
          ClientStatus === "failed" && Number(CreateIndex) >= Number(deployment.CreateIndex),
      )
      .sort((a, b) => Number(a.CreateIndex) - Number(b.CreateIndex));
  } catch {
    return [];
  }
}

/** What an allocation's tasks say of their end: the words of the last event that has any. */
function said(allocation: Members): string {
  const tasks = Object.entries(isObject(allocation.TaskStates) ? allocation.TaskStates : {});
  const each = tasks.flatMap(([task, state]) => {
    if (!isObject(state) || state.Failed !== true) return [];
    const events = Array.isArray(state.Events) ? state.Events.filter(isObject) : [];
    const words = events.findLast(isTelling);
    return words === undefined ? [] : [`task ${JSON.stringify(task)}: ${wordsOf(words)}`];
  });
  return each.length > 0 ? each.join("; ") : String(allocation.ClientDescription);
}

const TELLING = [
  "DriverError",
  "SetupError",
  "DownloadError",
  "ValidationError",
  "SecretsError",
  "KillError",
  "DriverMessage",
  "RestartReason",
  "KillReason",
  "Message",
] as const;

function isTelling(event: Members): boolean {
  return TELLING.some((name) => event[name]) || Number(event.ExitCode) !== 0;
}

function wordsOf(event: Members): string {
  const words = TELLING.map((name) => event[name]).find((text) => text);
  const exit = Number(event.ExitCode) !== 0 ? `exit code ${event.ExitCode}` : undefined;
  return [String(event.Type), words, exit].filter((part) => part !== undefined).join(", ");
}
