import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { StubResponse } from "../../service";
import type { Caller } from "./callers";
import { readResource } from "./documents";
import { conflict, invalid, notFound } from "./errors";
import { answer, type Endpoint, type Operation, store, theWorkspace } from "./operation";
import type { StateOutput, Workspace } from "./world";

const SECTION = "API: state version outputs";

/** The outputs of a workspace's current state version, and the upload of a state with outputs. */
export const stateOutputEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: "/workspaces/:workspace_id/current-state-version-outputs",
    section: SECTION,
    handle: list,
  },
  { method: "GET", path: "/state-version-outputs/:output_id", section: SECTION, handle: show },
  {
    method: "POST",
    path: "/workspaces/:workspace_id/state-versions",
    section: "API: state versions",
    handle: create,
  },
];

/** "Listing state version outputs requires permission to read state outputs for the workspace." */
const reads = (caller: Caller, workspace: Workspace) => caller.readsOutputs(workspace);

/** "Sensitive values are not revealed and will be returned as null." The list has no pages. */
function list(operation: Operation): StubResponse {
  const { currentStateVersion, outputs } = theWorkspace(operation, reads);
  if (currentStateVersion === null) throw notFound();
  return answer({ data: outputs.map((output) => render(output, !output.sensitive)) });
}

/** The response contains the value of a sensitive output. */
function show({ request, world, caller }: Operation): StubResponse {
  const all = [...world.workspaces.values()].filter((workspace) => reads(caller, workspace));
  const own = all.flatMap(({ outputs }) => outputs).find(({ id }) => id === request.params.output_id);
  if (own === undefined) throw notFound();
  return answer({ data: render(own, true) });
}

/** "You cannot create a state version unless the workspace is locked by the caller." The state is in the request, as base64. */
function create(operation: Operation): StubResponse {
  const workspace = theWorkspace(operation, (caller, found) => caller.writes(found));
  const { serial = null, state } = readResource(operation.request, "state-versions").attributes;
  if (workspace.lock?.holder.id !== operation.caller.asHolder().id)
    throw conflict("The workspace must be locked to create a state version");
  const file = parseState(state);
  const { identifiers } = operation;
  const outputs = Object.entries(file).map(([name, output]) => {
    const { value = null, sensitive } = isObject(output) ? output : {};
    return { id: identifiers.fresh("wsout"), name, value, sensitive: sensitive === true };
  });
  const id = identifiers.fresh("sv");
  store(operation, { ...workspace, currentStateVersion: id, outputs });
  const related = outputs.map((output) => ({ id: output.id, type: "state-version-outputs" }));
  const attributes = { serial, status: "finalized", "resources-processed": true };
  return answer(
    { data: { id, type: "state-versions", attributes, relationships: { outputs: { data: related } } } },
    201,
  );
}

/** The outputs in the file of a state. */
function parseState(state: JsonValue | undefined): JsonObject {
  const unreadable = invalid({
    pointer: "/data/attributes/state",
    detail: "state must be a state in base64",
  });
  if (typeof state !== "string") throw unreadable;
  try {
    const file: JsonValue = JSON.parse(Buffer.from(state, "base64").toString());
    return isObject(file) && isObject(file.outputs) ? file.outputs : {};
  } catch {
    throw unreadable;
  }
}

function render({ id, name, value, sensitive }: StateOutput, isShown: boolean): unknown {
  return {
    id,
    type: "state-version-outputs",
    attributes: { name, sensitive, type: typeOf(value), value: isShown ? value : null },
    links: { self: `/api/v2/state-version-outputs/${id}` },
  };
}

function typeOf(value: JsonValue): string {
  return Array.isArray(value) ? "array" : typeof value;
}
