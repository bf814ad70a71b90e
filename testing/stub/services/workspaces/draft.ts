import {
  applyPlain,
  initialPlain,
  neutralAttributes,
  readSettingOverwrites,
  readVcsKeys,
} from "./attributes";
import { invalid, type Problem } from "./errors";
import { isObject, type JsonObject, type JsonValue } from "./json";
import type { Organization, Switches } from "./settings";
import { reaches } from "./version-constraints";
import type { VcsRepo, Workspace } from "./world";

/** What a workspace is before a create's attributes are applied. */
export function blankWorkspace(
  id: string,
  organization: string,
  project: string,
  now: number,
  switches: Switches,
): Workspace {
  return {
    id,
    organization,
    name: "",
    accessName: "",
    createdAt: now,
    updatedAt: now,
    plain: initialPlain(switches),
    executionMode: null,
    agentPool: null,
    agentPoolOverwritten: false,
    vcsRepo: null,
    project,
    tags: [],
    tagBindings: [],
    lock: null,
    sshKey: null,
    consumers: [],
    retention: null,
    resourceCount: 0,
    processingUntil: now + switches.processingMilliseconds,
    currentStateVersion: null,
    intermediateStateVersions: [],
    currentRun: null,
  };
}

/**
 * The workspace after a create's or an update's attributes: omitted keeps, explicit null clears. Every rule
 * of the section "Workspace" is checked on the outcome, all failures at once as a 422.
 */
export function applyAttributes(
  before: Workspace,
  body: JsonObject,
  organization: Organization,
  switches: Switches,
): Workspace {
  const problems: Problem[] = [];
  const attributes = neutralAttributes(body, switches);
  const after: Workspace = {
    ...before,
    name: applyName(before.name, attributes.name, problems),
    plain: applyPlain(before.plain, attributes, switches, problems),
    vcsRepo: applyVcsRepo(before.vcsRepo, attributes["vcs-repo"], organization, problems),
    ...applyExecution(before, attributes, organization, problems),
  };
  checkExclusivePairs(after, problems);
  if (ASSESSED.some((name) => attributes[name] !== undefined)) {
    checkAssessments(after, organization, problems);
  }
  if (problems.length > 0) throw invalid(...problems);
  return after;
}

/** The execution mode in force: the workspace's own, else the organization's default. */
export function executionMode(workspace: Workspace, organization: Organization): string {
  return workspace.executionMode ?? organization.defaultExecutionMode;
}

/** The agent pool in force, in agent mode only. */
export function agentPool(workspace: Workspace, organization: Organization): string | null {
  if (executionMode(workspace, organization) !== "agent") return null;
  return workspace.agentPoolOverwritten ? workspace.agentPool : organization.defaultAgentPool;
}

function applyName(before: string, given: JsonValue | undefined, problems: Problem[]): string {
  if (given === undefined && before !== "") return before;
  if (given === undefined || given === null || given === "") {
    problems.push({ pointer: "/data/attributes/name", detail: "Name can't be blank" });
  } else if (typeof given !== "string") {
    problems.push({ pointer: "/data/attributes/name", detail: "name must be a string" });
  } else if (!/^[A-Za-z0-9_-]+$/.test(given)) {
    problems.push({
      pointer: "/data/attributes/name",
      detail: "Name can only include letters, numbers, -, and _",
    });
  } else {
    return given;
  }
  return before;
}

function applyExecution(
  before: Workspace,
  attributes: JsonObject,
  organization: Organization,
  problems: Problem[],
): Pick<Workspace, "executionMode" | "agentPool" | "agentPoolOverwritten"> {
  const refuse = (name: string, detail: string) =>
    problems.push({ pointer: `/data/attributes/${name}`, detail });
  const { "execution-mode": mode, operations, "agent-pool-id": pool } = attributes;
  const overwrites = readSettingOverwrites(attributes["setting-overwrites"], problems);

  if (isGiven(mode) && !EXECUTION_MODES.includes(mode)) {
    refuse("execution-mode", "execution-mode must be remote, local or agent");
  }
  if (isGiven(operations) && typeof operations !== "boolean") {
    refuse("operations", "operations must be true or false");
  }
  if (isGiven(mode) && isGiven(operations)) {
    refuse("operations", "operations must not be given together with execution-mode");
  }
  if (overwrites.executionMode === true && !isGiven(mode)) {
    refuse("execution-mode", "execution-mode must be given when setting-overwrites.execution-mode is true");
  }

  const after = { ...before, executionMode: nextMode(before, mode, operations, overwrites.executionMode) };
  const inForce = executionMode(after, organization);
  after.agentPoolOverwritten =
    overwrites.agentPool ??
    (isGiven(pool) || (before.name === "" && isGiven(mode)) ? true : before.agentPoolOverwritten);
  after.agentPool = inForce === "agent" ? before.agentPool : null;
  if (pool === null) after.agentPool = null;
  if (isGiven(pool)) {
    if (typeof pool !== "string" || !organization.agentPools.includes(pool)) {
      refuse("agent-pool-id", "agent-pool-id must be the id of an agent pool of the organization");
    } else if (inForce !== "agent") {
      refuse("agent-pool-id", `agent-pool-id must not be given when execution-mode is ${inForce}`);
    } else {
      after.agentPool = pool;
    }
  } else if (inForce === "agent" && agentPool(after, organization) === null) {
    refuse("agent-pool-id", "agent-pool-id is required when execution-mode is agent");
  }
  const { agentPoolOverwritten } = after;
  return { executionMode: after.executionMode, agentPool: after.agentPool, agentPoolOverwritten };
}

function nextMode(
  before: Workspace,
  mode: JsonValue | undefined,
  operations: JsonValue | undefined,
  overwritten: boolean | undefined,
): string | null {
  if (overwritten === false || mode === null) return null;
  if (typeof mode === "string") return mode;
  if (typeof operations === "boolean") return operations ? "remote" : "local";
  return before.executionMode;
}

function applyVcsRepo(
  before: VcsRepo | null,
  given: JsonValue | undefined,
  organization: Organization,
  problems: Problem[],
): VcsRepo | null {
  if (given === undefined) return before;
  if (given === null) return null;
  const refuse = (key: string, detail: string) =>
    problems.push({ pointer: `/data/attributes/vcs-repo${key}`, detail });
  if (!isObject(given)) {
    refuse("", "vcs-repo must be an object or null");
    return before;
  }
  const { identifier, oauthTokenId, branch, ingressSubmodules, tagsRegex } = readVcsKeys(given, problems);
  if (!identifier) refuse("/identifier", "vcs-repo.identifier is required");
  else if (!/^[^/\s]+\/([^/\s]+\/_git\/)?[^/\s]+$/.test(identifier)) {
    refuse("/identifier", "vcs-repo.identifier must be :org/:repo or :org/:project/_git/:repo");
  }
  if (!oauthTokenId) refuse("/oauth-token-id", "vcs-repo.oauth-token-id is required");
  else if (!Object.hasOwn(organization.oauthTokens, oauthTokenId)) {
    refuse("/oauth-token-id", "vcs-repo.oauth-token-id must be a VCS OAuth token of the organization");
  }
  return {
    identifier: identifier ?? "",
    oauthTokenId: oauthTokenId ?? "",
    branch: branch === undefined ? (before?.branch ?? "") : (branch ?? ""),
    ingressSubmodules:
      ingressSubmodules === undefined ? (before?.ingressSubmodules ?? false) : (ingressSubmodules ?? false),
    tagsRegex: tagsRegex === undefined ? (before?.tagsRegex ?? null) : tagsRegex,
  };
}

/** Pairs of which a workspace can have one only; the empty value of one does not count. */
function checkExclusivePairs(after: Workspace, problems: Problem[]): void {
  const tagsRegex = after.vcsRepo?.tagsRegex ?? null;
  const triggers = [
    { name: "trigger-prefixes", given: !isEmpty(after.plain["trigger-prefixes"]) },
    { name: "trigger-patterns", given: !isEmpty(after.plain["trigger-patterns"]) },
    { name: "vcs-repo/tags-regex", given: !isEmpty(tagsRegex) },
  ].filter(({ given }) => given);
  const destruction = ["auto-destroy-at", "auto-destroy-activity-duration"]
    .map((name) => ({ name, given: !isEmpty(after.plain[name]) }))
    .filter(({ given }) => given);
  for (const [first, ...others] of [triggers, destruction]) {
    for (const other of others) {
      problems.push({
        pointer: `/data/attributes/${other.name}`,
        detail: `${other.name.replace("/", ".")} must not be set together with ${first?.name ?? ""}`,
      });
    }
  }
}

/** "Available only to Plus tier organizations, on engine version 0.15.4 or later, in remote execution mode." */
function checkAssessments(after: Workspace, organization: Organization, problems: Problem[]): void {
  if (after.plain["assessments-enabled"] !== true) return;
  const refuse = (detail: string) =>
    problems.push({ pointer: "/data/attributes/assessments-enabled", detail });
  if (organization.tier !== "plus") refuse("assessments-enabled needs an organization of the Plus tier");
  if (executionMode(after, organization) !== "remote") {
    refuse("assessments-enabled needs remote execution mode");
  }
  const version = after.plain["engine-version"];
  if (typeof version === "string" && !reaches(version, "0.15.4")) {
    refuse("assessments-enabled needs engine version 0.15.4 or later");
  }
}

/** Only a body that touches one of these is held to the rules of health assessments. */
const ASSESSED = [
  "assessments-enabled",
  "execution-mode",
  "operations",
  "engine-version",
  "setting-overwrites",
];

const EXECUTION_MODES: readonly JsonValue[] = ["remote", "local", "agent"];

function isGiven<Value>(value: Value | undefined | null): value is Value {
  return value !== undefined && value !== null;
}

function isEmpty(value: JsonValue | undefined): boolean {
  return !isGiven(value) || value === "" || (Array.isArray(value) && value.length === 0);
}
