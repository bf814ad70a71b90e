import { isObject, type JsonObject, type JsonValue } from "../../json";
import { applyPlain, initialPlain, neutralAttributes } from "./attributes";
import { invalid, type Problem } from "./errors";
import { applyExecution, executionMode } from "./execution";
import type { Organization, Switches } from "./settings";
import { applyVcsRepo } from "./vcs-repo";
import { reaches } from "./version-constraints";
import type { Workspace } from "./world";

/** A workspace before the attributes of a create are applied. */
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
    outputs: [],
    intermediateStateVersions: [],
    currentRun: null,
    observed: {},
    related: {},
  };
}

/**
 * Applies the attributes of a create or an update: an omitted one is unchanged, an explicit null clears. Checks every rule
 * of the section "Workspace" on the result and throws one 422 with all failures.
 * @param isUser the token is a user's, which HCP Terraform requires for repositories of its GitHub App
 */
export function applyAttributes(
  before: Workspace,
  body: JsonObject,
  organization: Organization,
  switches: Switches,
  isUser = true,
): Workspace {
  const problems: Problem[] = [];
  const { "setting-overwrites": overwrites, ...rest } = neutralAttributes(body, switches);
  const attributes: JsonObject = {
    ...rest,
    ...(switches.storesOverwrites && overwrites !== undefined && { "setting-overwrites": overwrites }),
  };
  const after: Workspace = {
    ...before,
    name: applyName(before.name, attributes.name, problems),
    plain: withAutoDestroy(applyPlain(before.plain, attributes, switches, problems), attributes),
    vcsRepo: applyVcsRepo(before.vcsRepo, attributes["vcs-repo"], { organization, isUser, problems }),
    ...applyExecution(before, attributes, organization, problems),
  };
  checkExclusivePairs(after, problems);
  if (before.plain["hyok-enabled"] === true && after.plain["hyok-enabled"] !== true)
    problems.push({ pointer: "/data/attributes/hyok-enabled", detail: "hyok-enabled cannot be disabled" });
  if (switches.refusesEmptiedTwins) checkEmptiedTwins(attributes, problems);
  if (ASSESSED.some((name) => attributes[name] !== undefined)) {
    checkAssessments(after, organization, problems);
  }
  if (problems.length > 0) throw invalid(...problems);
  return after;
}

/** Own settings end the inheritance of the project's, unless the body wants it; the inheritance removes own settings. */
function withAutoDestroy(plain: Workspace["plain"], given: JsonObject): Workspace["plain"] {
  const own = ["auto-destroy-at", "auto-destroy-activity-duration"];
  const inherits = "inherits-project-auto-destroy";
  if (given[inherits] === true) return { ...plain, ...Object.fromEntries(own.map((name) => [name, null])) };
  return own.some((name) => !isEmpty(given[name])) ? { ...plain, [inherits]: false } : plain;
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

/** Rejects a workspace with two settings that exclude each other; an empty value does not count. */
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
  const sharing = ["global-remote-state", "project-remote-state"]
    .map((name) => ({ name, given: after.plain[name] === true }))
    .filter(({ given }) => given);
  for (const [first, ...others] of [triggers, destruction, sharing]) {
    for (const other of others) {
      problems.push({
        pointer: `/data/attributes/${other.name}`,
        detail: `${other.name.replace("/", ".")} must not be set together with ${first?.name ?? ""}`,
      });
    }
  }
}

/**
 * If a body sets one trigger, it may not even empty another: HCP Terraform rejects this for `tags-regex` and
 * `trigger-patterns`.
 */
function checkEmptiedTwins(attributes: JsonObject, problems: Problem[]): void {
  const repository = isObject(attributes["vcs-repo"]) ? attributes["vcs-repo"] : {};
  const triggers = [
    { name: "trigger-prefixes", value: attributes["trigger-prefixes"] },
    { name: "trigger-patterns", value: attributes["trigger-patterns"] },
    { name: "vcs-repo/tags-regex", value: repository["tags-regex"] },
  ].filter(({ value }) => value !== undefined && value !== null);
  const given = triggers.find(({ value }) => !isEmpty(value));
  for (const { name, value } of triggers) {
    if (given === undefined || !isEmpty(value)) continue;
    problems.push({
      pointer: `/data/attributes/${name}`,
      detail: `cannot specify both ${given.name.replace("/", ".")} and ${name.replace("/", ".")}`,
    });
  }
}

/**
 * "Available only to Plus tier organizations, on engine version 0.15.4 or later, in remote execution mode." Another page of the
 * manual (Health) also names the agent execution mode.
 */
function checkAssessments(after: Workspace, organization: Organization, problems: Problem[]): void {
  if (after.plain["assessments-enabled"] !== true) return;
  const refuse = (detail: string) =>
    problems.push({ pointer: "/data/attributes/assessments-enabled", detail });
  if (organization.tier !== "plus") refuse("assessments-enabled needs an organization of the Plus tier");
  if (executionMode(after, organization) === "local") {
    refuse("assessments-enabled needs remote or agent execution mode");
  }
  const version = after.plain["engine-version"];
  if (typeof version === "string" && !reaches(version, "0.15.4")) {
    refuse("assessments-enabled needs engine version 0.15.4 or later");
  }
}

/** The rules of health assessments apply only to a body with one of these. */
const ASSESSED = [
  "assessments-enabled",
  "execution-mode",
  "operations",
  "engine-version",
  "setting-overwrites",
];

function isEmpty(value: JsonValue | undefined): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
