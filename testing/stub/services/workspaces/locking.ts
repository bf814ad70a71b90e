import { isObject } from "../../json";
import type { StubResponse } from "../../service";
import { readJson } from "./documents";
import { conflict, invalid, notFound, Refusal } from "./errors";
import {
  answerWorkspace,
  type Endpoint,
  type Operation,
  store,
  theAdministeredWorkspace,
  theWorkspace,
} from "./operation";
import type { LockHolder, StateVersion, Workspace } from "./world";

/** The state table of the section "States and transitions". */
export const lockEndpoints: readonly Endpoint[] = [
  { method: "POST", path: "/workspaces/:workspace_id/actions/lock", section: "Lock", handle: lock },
  { method: "POST", path: "/workspaces/:workspace_id/actions/unlock", section: "Unlock", handle: unlock },
  {
    method: "POST",
    path: "/workspaces/:workspace_id/actions/force-unlock",
    section: "Force unlock",
    handle: forceUnlock,
  },
];

function lock(operation: Operation): StubResponse {
  const workspace = theLockableWorkspace(operation);
  const reason = readReason(operation);
  if (workspace.lock !== null) {
    if (operation.switches.lockConflictIsEmpty) throw new Refusal(409, []);
    throw conflict(`Workspace ${workspace.name} is already locked.`);
  }
  const held = { ...workspace, lock: { holder: operation.caller.asHolder(), reason } };
  return answerWorkspace(operation, store(operation, held));
}

function unlock(operation: Operation): StubResponse {
  const workspace = theLockableWorkspace(operation);
  if (workspace.lock === null) throw alreadyUnlocked(workspace);
  const { holder } = workspace.lock;
  if (!isSame(holder, operation.caller.asHolder())) {
    throw conflict(
      `Workspace ${workspace.name} is locked by ${holder.kind} ${holder.name} and may not be unlocked except by them.`,
    );
  }
  const latest = workspace.intermediateStateVersions.at(-1);
  if (latest !== undefined && !isFinalized(latest, operation.request.now)) {
    throw new Refusal(503, [
      {
        status: "503",
        title: "service unavailable",
        detail: "Unable to unlock workspace: the latest state version is still pending.",
      },
    ]);
  }
  return answerWorkspace(
    operation,
    store(operation, {
      ...workspace,
      lock: null,
      currentStateVersion: latest?.id ?? workspace.currentStateVersion,
      processingUntil:
        latest === undefined
          ? workspace.processingUntil
          : operation.request.now + operation.switches.processingMilliseconds,
      intermediateStateVersions: [],
    }),
  );
}

function forceUnlock(operation: Operation): StubResponse {
  const workspace = theAdministeredWorkspace(operation);
  if (workspace.lock === null) throw alreadyUnlocked(workspace);
  return answerWorkspace(operation, store(operation, { ...workspace, lock: null }));
}

/** "Lock/unlock permission to lock and unlock"; 404 without it. */
function theLockableWorkspace(operation: Operation): Workspace {
  const workspace = theWorkspace(operation);
  if (!operation.caller.locks(workspace)) throw notFound();
  return workspace;
}

/** Reads the lock's body, which is plain JSON: `{"reason": "…"}`, by default empty. */
function readReason({ request }: Operation): string {
  const body = readJson(request) ?? {};
  if (!isObject(body)) throw invalid({ pointer: "", detail: "the body must be an object" });
  const { reason = "" } = body;
  if (typeof reason !== "string") {
    throw invalid({ pointer: "/reason", detail: "reason must be a string" });
  }
  return reason;
}

function alreadyUnlocked(workspace: Workspace): Refusal {
  return conflict(`Workspace ${workspace.name} is already unlocked.`);
}

function isSame(left: LockHolder, right: LockHolder): boolean {
  return left.kind === right.kind && left.id === right.id;
}

function isFinalized({ finalizedAt }: StateVersion, now: number): boolean {
  return finalizedAt !== null && finalizedAt <= now;
}
