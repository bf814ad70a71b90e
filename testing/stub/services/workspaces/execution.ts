import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { Problem } from "./errors";
import type { Organization } from "./settings";
import type { Workspace } from "./world";

/** The effective execution mode: the workspace's own, else the organization's default. */
export function executionMode(workspace: Workspace, organization: Organization): string {
  return workspace.executionMode ?? organization.defaultExecutionMode;
}

/** The effective agent pool, in agent mode only. */
export function agentPool(workspace: Workspace, organization: Organization): string | null {
  if (executionMode(workspace, organization) !== "agent") return null;
  return workspace.agentPoolOverwritten ? workspace.agentPool : organization.defaultAgentPool;
}

/** Applies `execution-mode`, `operations`, `agent-pool-id` and `setting-overwrites`, and the rules between them. */
export function applyExecution(
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

/** Reads `setting-overwrites`: booleans by the keys that have organization-level defaults. */
function readSettingOverwrites(
  value: JsonValue | undefined,
  problems: Problem[],
): { readonly executionMode: boolean | undefined; readonly agentPool: boolean | undefined } {
  const none = { executionMode: undefined, agentPool: undefined };
  if (value === undefined || value === null) return none;
  if (!isObject(value)) {
    problems.push({ pointer: POINTER_OVERWRITES, detail: "setting-overwrites must be an object" });
    return none;
  }
  const read = (key: string) => {
    const given = value[key];
    if (given === undefined || typeof given === "boolean") return given;
    problems.push({
      pointer: `${POINTER_OVERWRITES}/${key}`,
      detail: `setting-overwrites.${key} must be true or false`,
    });
    return undefined;
  };
  return { executionMode: read("execution-mode"), agentPool: read("agent-pool") };
}

const POINTER_OVERWRITES = "/data/attributes/setting-overwrites";

const EXECUTION_MODES: readonly JsonValue[] = ["remote", "local", "agent"];

function isGiven<Value>(value: Value | undefined | null): value is Value {
  return value !== undefined && value !== null;
}
