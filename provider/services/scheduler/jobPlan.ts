import {
  amountIn,
  type Body,
  type Forecast,
  type ForecastInput,
  type ForecastLine,
  formatJson,
  isObject,
  type Json,
  post,
  stringIn,
} from "../../core";
import { floatingGroups } from "./jobCounts";
import type { Members } from "./jobFollowed";
import { knownJobOf } from "./jobForms";
import { unplacedGroups } from "./jobUnplaced";
import { inScope as query } from "./service";

/** Nomad's plan of a register (wire facts: `POST /v1/job/:id/plan` with `Diff`). It registers nothing. */
export const jobPlan: Forecast = {
  request: post("/job/{jobId}/plan", { query }),
  disabledBy: "plan",
  body: ({ Job: job, PolicyOverride: override }) => ({
    Job: job ?? null,
    Diff: true,
    ...(override !== undefined && { PolicyOverride: override }),
  }),
  expects: ["Annotations", "JobModifyIndex"],
  messages: (answer, about) => [
    ...plannedActions(answer),
    ...keptCounts(answer, about),
    ...keptResources(answer, about),
    ...unplacedGroups(answer).map(({ what, reasons }) => warning(what, reasons)),
    ...preemptions(answer),
    ...standing(answer, about),
  ],
};

function warning(what: string, reasons: readonly string[] = []): ForecastLine {
  return {
    kind: "warning",
    text: reasons.length === 0 ? what : [`${what}:`, ...indentLines(reasons)].join("\n"),
  };
}

const indentLines = (lines: readonly string[]) => lines.map((line) => `  ${line}`);

/** The scheduler's actions on allocations, in output order. */
const DEEDS: readonly (readonly [member: string, word: string])[] = [
  ["Place", "create"],
  ["InPlaceUpdate", "in-place update"],
  ["DestructiveUpdate", "destructive update"],
  ["Canary", "canary"],
  ["Migrate", "migrate"],
  ["Stop", "stop"],
  ["Preemptions", "preempted"],
  ["Disconnect", "disconnect"],
  ["Reconnect", "reconnect"],
  ["RescheduleNow", "reschedule now"],
  ["RescheduleLater", "reschedule later"],
  ["Ignore", "ignore"],
];

const PLAN = "Nomad's plan";

/** The scheduler's actions for each group, and the next launch of a periodic job. */
function plannedActions(answer: Members): ForecastLine[] {
  const groups = Object.entries(membersOf(membersOf(answer.Annotations).DesiredTGUpdates)).sort(byName);
  const rows = groups.map(([name, updates]) => [`group ${JSON.stringify(name)}`, deedsIn(updates)] as const);
  const { NextPeriodicLaunch: launch } = answer;
  const launches = isTime(launch) ? [["next launch", launch] as const] : [];
  const table = [...rows, ...launches];
  const [[what, comes] = [], ...more] = table;
  if (what === undefined) return [];
  if (more.length === 0) return [{ kind: "info", text: `${PLAN}: ${what}: ${comes}` }];
  const width = Math.max(...table.map(([what]) => what.length));
  const lines = table.map(([what, comes]) => `${what.padEnd(width)}  ${comes}`);
  return [{ kind: "info", text: [`${PLAN}:`, ...indentLines(lines)].join("\n") }];
}

function byName([one]: readonly [string, Json], [other]: readonly [string, Json]): number {
  return one < other ? -1 : 1;
}

function deedsIn(updates: Json): string {
  const counted = DEEDS.flatMap(([member, word]) => {
    const count = amountIn(membersOf(updates)[member] ?? 0);
    return count > 0 ? [`${count} ${word}`] : [];
  });
  return counted.length === 0 ? "nothing to do" : counted.join(", ");
}

/** True for a launch time. If a job is not periodic, Nomad returns null, and older releases return Go's zero time. */
function isTime(launch: Json | undefined): launch is string {
  return typeof launch === "string" && Date.parse(launch) > 0;
}

/**
 * The groups that keep their current count, because the program does not manage it. A register preserves that count, but a
 * plan uses the program's count.
 */
function keptCounts(answer: Members, { inputs, applied }: ForecastInput): ForecastLine[] {
  if (applied === undefined) return [];
  const floating = new Set(floatingGroups(knownJobOf(inputs) ?? {}, applied));
  return listIn(membersOf(answer.Diff).TaskGroups).flatMap((group) => {
    const count = listIn(group.Fields).find(({ Name: name }) => name === "Count");
    const isKept = inputs.preserveCounts === true || floating.has(stringIn(group.Name));
    if (!isKept || group.Type !== "Edited" || count === undefined) return [];
    const text = `group ${formatJson(group.Name ?? null)} keeps its count of ${stringIn(count.Old)}; the plan does not contain this count and uses ${stringIn(count.New)}`;
    return [{ kind: "info", text }];
  });
}

/** The tasks that keep their current resources. A register preserves them, but a plan uses the program's resources. */
function keptResources(answer: Members, { inputs, applied }: ForecastInput): ForecastLine[] {
  if (applied === undefined || inputs.preserveResources !== true) return [];
  return listIn(membersOf(answer.Diff).TaskGroups).flatMap((group) =>
    listIn(group.Tasks)
      .filter(
        ({ Type, Objects }) => Type === "Edited" && listIn(Objects).some(({ Name }) => Name === "Resources"),
      )
      .map(({ Name }) => ({
        kind: "info" as const,
        text: `task ${formatJson(Name ?? null)} of group ${formatJson(group.Name ?? null)} keeps its resources; the plan uses those of the program`,
      })),
  );
}

/** Other jobs' allocations that Nomad would stop to make room. */
function preemptions(answer: Members): ForecastLine[] {
  const { PreemptedAllocs: stopped } = membersOf(answer.Annotations);
  const found = listIn(stopped);
  if (found.length === 0) return [];
  const whose = found.map(
    ({ Namespace: namespace, JobID: job, TaskGroup: group }) =>
      `of job ${JSON.stringify(`${stringIn(namespace ?? "default")}/${stringIn(job)}`)}, group ${JSON.stringify(group)}`,
  );
  const counts = new Map<string, number>();
  for (const name of whose) counts.set(name, (counts.get(name) ?? 0) + 1);
  const one = found.length === 1 ? "1 allocation" : `${found.length} allocations`;
  return [
    warning(
      `${one} will be stopped to make room (preemption)`,
      [...counts].map(([name, count]) => `${count} ${name}`),
    ),
  ];
}

/** Describes the job that the register's check will find on the server. */
function standing(answer: Members, about: ForecastInput): ForecastLine[] {
  const index = stringIn(answer.JobModifyIndex ?? 0);
  return about.applied === undefined ? atCreate(answer, index, about) : atUpdate(index, about);
}

const ABSENT = "0";

function atCreate(
  answer: Members,
  index: string,
  { inputs, adoptsIdentical }: ForecastInput,
): ForecastLine[] {
  if (index === ABSENT) return [];
  const diff = membersOf(answer.Diff);
  const isStopped = listIn(diff.Fields).some(({ Name: name, Old: old }) => name === "Stop" && old === "true");
  const there = `a job with this ID already exists (index ${index})`;
  if (isStopped) return [{ kind: "info", text: `${there} and is stopped: the job will run again` }];
  // The preview of the adoption lists its changes.
  if (inputs.adopt === true) return [];
  if (adoptsIdentical && diff.Type === "None")
    return [{ kind: "info", text: `${there} and matches the program: the job will be adopted` }];
  return [warning(`${there}: pulumi up will fail; set adopt: true to adopt the job`)];
}

function atUpdate(index: string, { token, inputs }: ForecastInput): ForecastLine[] {
  if (token === undefined || token === index) return [];
  if (index === ABSENT)
    return [
      {
        ...warning(
          "someone else purged the job since it was last read: pulumi up will fail; run pulumi refresh first",
        ),
        facts: { changedBy: "someoneElse" },
      },
    ];
  const moved = `someone else changed the job since it was last read (index ${token} then, ${index} now)`;
  return inputs.onConflict === "overwrite"
    ? [warning(`${moved}: pulumi up will overwrite those changes (onConflict)`)]
    : [
        warning(
          `${moved}: pulumi up will fail if the change affects a value that the program sets; to see the change, run pulumi refresh first`,
        ),
      ];
}

function membersOf(value: Json | undefined): Body {
  return isObject(value) ? value : {};
}

function listIn(value: Json | undefined): Members[] {
  return (Array.isArray(value) ? value : []).filter(isObject);
}
