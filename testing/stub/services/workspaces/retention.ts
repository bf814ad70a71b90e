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
    handle: (operation) => show(operation, theWorkspace(operation)),
  },
  { method: "POST", path: PATH, section: "Data retention policy", handle: set },
  { method: "DELETE", path: PATH, section: "Remove retention policy", handle: remove },
];

/** A POST replaces the policy under a new ID. */
function set(operation: Operation): StubResponse {
  const workspace = theAdministeredWorkspace(operation);
  const retention = readPolicy(operation);
  return show(operation, store(operation, { ...workspace, retention }));
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

/** The policy of the workspace, or of its organization, which `target` shows. `data` is null without a policy. */
function show({ world }: Operation, { id, organization, retention }: Workspace): StubResponse {
  if (retention !== null) return answerPolicy(retention, { type: "workspaces", id });
  const days = world.organizations.get(organization)?.retentionDays ?? null;
  if (days === null) return answer({ data: null });
  const inherited = { id: `drp-${organization}`, type: DELETE_OLDERS, days } as const;
  return answerPolicy(inherited, { type: "organizations", id: organization });
}

function answerPolicy(policy: RetentionPolicy, target: { type: string; id: string }): StubResponse {
  const { id, type } = policy;
  const attributes = type === DELETE_OLDERS ? { [DAYS]: policy.days } : {};
  return answer({ data: { id, type, attributes, relationships: { target: { data: target } } } });
}

const DELETE_OLDERS = "data-retention-policy-delete-olders";
const DONT_DELETES = "data-retention-policy-dont-deletes";
const DAYS = "delete-older-than-n-days";
