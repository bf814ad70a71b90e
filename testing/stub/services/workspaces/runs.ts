import type { JsonValue } from "../../json";
import type { StubResponse } from "../../service";
import { type ResourceDocument, readResource } from "./documents";
import { conflict, invalid, notFound, type Problem } from "./errors";
import { answer, type Endpoint, type Operation } from "./operation";
import { page } from "./paging";
import { timestamp } from "./render";
import type { Run } from "./run-records";
import type { Workspace } from "./world";

const ONE = "/runs/:run_id";
const section = "API: runs";

/** The runs of workspaces: create, show, list, apply and discard. Phases end by the clock, without reads. */
export const runEndpoints: readonly Endpoint[] = [
  { method: "POST", path: "/runs", section, handle: create },
  { method: "GET", path: ONE, section, handle: show },
  { method: "GET", path: "/workspaces/:workspace_id/runs", section, handle: list },
  { method: "POST", path: `${ONE}/actions/apply`, section, handle: apply },
  { method: "POST", path: `${ONE}/actions/discard`, section, handle: discard },
];

/** The attributes of a create, with their defaults. */
const FLAGS = {
  "is-destroy": false,
  "plan-only": false,
  "refresh-only": false,
  "allow-empty-apply": false,
  refresh: true,
} as const;
const TEXTS = { message: "Triggered via API", "terraform-version": null } as const;
const LISTS = ["target-addrs", "replace-addrs", "variables"] as const;

function create(operation: Operation): StubResponse {
  const { world, request, identifiers, switches } = operation;
  const document = readResource(request, "runs");
  const workspace = world.workspaces.get(targetOf(document, "workspace") ?? "");
  if (workspace === undefined || !operation.caller.plans(workspace)) throw notFound();
  const run: Run = {
    id: identifiers.fresh("run"),
    workspace: workspace.id,
    configurationVersion: targetOf(document, "configuration-version") ?? null,
    attributes: readAttributes(document, workspace),
    planResult: switches.planResult,
    createdAt: request.now,
    phaseMilliseconds: switches.runPhaseMilliseconds,
    confirmedAt: null,
    discardedAt: null,
  };
  world.runs.set(run.id, run);
  const attributes = attributesOf(run, operation, "pending");
  return answer({ data: { ...render(run, operation), attributes } }, 201);
}

function show(operation: Operation): StubResponse {
  return answer({ data: render(theRun(operation), operation) });
}

/** The runs of a workspace, the newest first; `search[basic]` searches the IDs and the messages. */
function list(operation: Operation): StubResponse {
  const { world, request, caller } = operation;
  const workspace = world.workspaces.get(request.params.workspace_id ?? "");
  if (workspace === undefined || !caller.reads(workspace)) throw notFound();
  const search = request.query.get("search[basic]") ?? "";
  const own = [...world.runs.values()]
    .filter((run) => run.workspace === workspace.id)
    .filter(({ id, attributes }) => id === search || String(attributes.message).includes(search));
  return answer(page(request, own.reverse(), (run) => render(run, operation)));
}

function apply(operation: Operation): StubResponse {
  const run = theWritableRun(operation);
  if (!actionsOf(statusOf(run, operation.request.now))["is-confirmable"])
    throw conflict("transition not allowed");
  operation.world.runs.set(run.id, { ...run, confirmedAt: operation.request.now });
  return { status: 202 };
}

function discard(operation: Operation): StubResponse {
  const run = theWritableRun(operation);
  if (!actionsOf(statusOf(run, operation.request.now))["is-discardable"])
    throw conflict("transition not allowed");
  operation.world.runs.set(run.id, { ...run, discardedAt: operation.request.now });
  return { status: 202 };
}

function theRun({ world, request, caller }: Operation): Run {
  const run = world.runs.get(request.params.run_id ?? "");
  const workspace = run && world.workspaces.get(run.workspace);
  if (run === undefined || workspace === undefined || !caller.reads(workspace)) throw notFound();
  return run;
}

function theWritableRun(operation: Operation): Run {
  const run = theRun(operation);
  const workspace = operation.world.workspaces.get(run.workspace);
  if (workspace === undefined || !operation.caller.writes(workspace)) throw notFound();
  return run;
}

/** The ID of the target of a relationship in a body. */
function targetOf({ relationships }: ResourceDocument, name: string): string | undefined {
  const relationship = relationships[name] as { data?: { id?: JsonValue } | null } | undefined;
  const id = relationship?.data?.id;
  return typeof id === "string" ? id : undefined;
}

/** The attributes of a create. The workspace decides whether its plan is applied, unless the run does. */
function readAttributes({ attributes }: ResourceDocument, workspace: Workspace): Run["attributes"] {
  const problems: Problem[] = [];
  const reject = (name: string, detail: string) =>
    problems.push({ pointer: `/data/attributes/${name}`, detail });
  const defaults = { ...FLAGS, "auto-apply": workspace.plain["auto-apply"] ?? false };
  const flags = Object.entries(defaults).map(([name, usual]) => {
    const value = attributes[name] ?? usual;
    if (typeof value !== "boolean") reject(name, `${name} must be a boolean`);
    return [name, value] as const;
  });
  const texts = Object.entries(TEXTS).map(([name, usual]) => {
    const value = attributes[name] ?? usual;
    if (value !== null && typeof value !== "string") reject(name, `${name} must be a string`);
    return [name, value] as const;
  });
  const lists = LISTS.map((name) => {
    const value = attributes[name] ?? [];
    if (!Array.isArray(value)) reject(name, `${name} must be an array`);
    return [name, value] as const;
  });
  if (attributes["terraform-version"] && attributes["plan-only"] !== true)
    reject("terraform-version", "terraform-version is only valid for plan-only runs");
  if (problems.length > 0) throw invalid(...problems);
  return Object.fromEntries([...flags, ...texts, ...lists]);
}

/** When the plan of a run ends, and when its apply begins; null if nothing has confirmed the plan. */
function planOf({ createdAt, phaseMilliseconds, attributes, confirmedAt }: Run) {
  const plannedAt = createdAt + phaseMilliseconds;
  return { plannedAt, confirmedAt: attributes["auto-apply"] === true ? plannedAt : confirmedAt };
}

/** The status at a time: the plan and the apply take one phase each. */
function statusOf(run: Run, now: number): string {
  const { phaseMilliseconds, attributes, planResult, discardedAt } = run;
  const { plannedAt, confirmedAt } = planOf(run);
  if (discardedAt !== null) return "discarded";
  if (now < plannedAt) return "planning";
  if (planResult === "error") return "errored";
  // A soft mandatory policy rejects the plan. Only a run that can be applied waits for someone to override the policy.
  if (planResult === "policy")
    return attributes["plan-only"] === true ? "policy_soft_failed" : "policy_override";
  const isEmpty = planResult === "none" && attributes["allow-empty-apply"] !== true;
  if (attributes["plan-only"] === true || isEmpty) return "planned_and_finished";
  if (confirmedAt === null) return "planned";
  return now < confirmedAt + phaseMilliseconds ? "applying" : "applied";
}

function actionsOf(status: string) {
  const isRunning = ["pending", "planning", "applying"].includes(status);
  return {
    "is-cancelable": isRunning,
    "is-confirmable": status === "planned",
    "is-discardable": ["pending", "planned", "policy_override"].includes(status),
    "is-force-cancelable": false,
  };
}

/** When a run got its statuses, in their order. */
function timestampsOf(run: Run, status: string) {
  const { createdAt, phaseMilliseconds, discardedAt } = run;
  const { plannedAt, confirmedAt } = planOf(run);
  const isApplied = ["applying", "applied"].includes(status);
  const times: Readonly<Record<string, number | null | false>> = {
    "plan-queueable-at": createdAt,
    "planning-at": status !== "pending" && createdAt,
    "planned-at": (isApplied || status === "planned" || status === "discarded") && plannedAt,
    "planned-and-finished-at": status === "planned_and_finished" && plannedAt,
    "policy-soft-failed-at": status === "policy_soft_failed" && plannedAt,
    "errored-at": status === "errored" && plannedAt,
    "applying-at": isApplied && confirmedAt,
    "applied-at": status === "applied" && confirmedAt !== null && confirmedAt + phaseMilliseconds,
    "discarded-at": discardedAt,
  };
  return Object.fromEntries(
    Object.entries(times).flatMap(([name, at]) => (typeof at === "number" ? [[name, timestamp(at)]] : [])),
  );
}

/** The attributes of a run. It starts after the response to its create, which shows it as pending. */
function attributesOf(run: Run, { request }: Operation, status = statusOf(run, request.now)) {
  return {
    ...run.attributes,
    "created-at": timestamp(run.createdAt),
    status,
    "has-changes":
      !["pending", "planning"].includes(status) && ["changes", "policy"].includes(run.planResult),
    actions: actionsOf(status),
    source: "tfe-api",
    "status-timestamps": timestampsOf(run, status),
  };
}

function render(run: Run, operation: Operation) {
  const { id, workspace, configurationVersion } = run;
  return {
    id,
    type: "runs",
    attributes: attributesOf(run, operation),
    relationships: {
      workspace: { data: { id: workspace, type: "workspaces" } },
      "configuration-version": {
        data:
          configurationVersion === null ? null : { id: configurationVersion, type: "configuration-versions" },
      },
    },
    links: { self: `/api/v2/runs/${id}` },
  };
}
