import type { StubResponse } from "../../service";
import { readResource } from "./documents";
import { invalid } from "./errors";
import {
  answer,
  type Endpoint,
  NO_CONTENT,
  type Operation,
  store,
  theAdministeredWorkspace,
  theWorkspace,
} from "./operation";
import type { RetentionPolicy, Workspace } from "./world";

const PATH = "/workspaces/:workspace_id/relationships/data-retention-policy";

/** The data retention policy of a workspace: show, set and remove. */
export const retentionEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: PATH,
    section: "Show data retention policy",
    handle: (operation) => answerPolicy(theWorkspace(operation)),
  },
  { method: "POST", path: PATH, section: "Data retention policy", handle: set },
  { method: "DELETE", path: PATH, section: "Remove retention policy", handle: remove },
];

/** A POST replaces the policy under a new ID. */
function set(operation: Operation): StubResponse {
  const workspace = theAdministeredWorkspace(operation);
  const retention = readPolicy(operation);
  return answerPolicy(store(operation, { ...workspace, retention }));
}

function remove(operation: Operation): StubResponse {
  store(operation, { ...theAdministeredWorkspace(operation), retention: null });
  return NO_CONTENT;
}

function readPolicy({ request, identifiers }: Operation): RetentionPolicy {
  const { type, attributes } = readResource(request, DELETE_OLDERS, DONT_DELETES);
  const id = identifiers.fresh("drp");
  if (type === DONT_DELETES) return { id, type: DONT_DELETES };
  const days = attributes[DAYS];
  if (typeof days !== "number" || !Number.isInteger(days) || days < 1) {
    throw invalid({ pointer: `/data/attributes/${DAYS}`, detail: `${DAYS} must be a positive integer` });
  }
  return { id, type: DELETE_OLDERS, days };
}

/** `data` is null without a policy. */
function answerPolicy({ retention }: Workspace): StubResponse {
  if (retention === null) return answer({ data: null });
  const { id, type } = retention;
  return answer({ data: { id, type, attributes: type === DELETE_OLDERS ? { [DAYS]: retention.days } : {} } });
}

const DELETE_OLDERS = "data-retention-policy-delete-olders";
const DONT_DELETES = "data-retention-policy-dont-deletes";
const DAYS = "delete-older-than-n-days";
