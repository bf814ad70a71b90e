import { isObject } from "../../json";
import type { StubResponse } from "../../service";
import { readResource } from "./documents";
import { invalid, notFound, Refusal } from "./errors";
import {
  answer,
  type Endpoint,
  NO_CONTENT,
  type Operation,
  theAdministeredWorkspace,
  theWorkspace,
} from "./operation";
import { page } from "./paging";
import { timestamp } from "./render";
import type { RunTrigger } from "./run-records";
import type { World } from "./world";

const COLLECTION = "/workspaces/:workspace_id/run-triggers";
const ITEM = "/run-triggers/:run_trigger_id";
const section = "API: run triggers";

/** "You can connect each workspace to up to 20 source workspaces." */
const MOST = 20;

/** The run triggers of a workspace: list, create, show and delete. */
export const runTriggerEndpoints: readonly Endpoint[] = [
  { method: "GET", path: COLLECTION, section, handle: list },
  { method: "POST", path: COLLECTION, section, handle: create },
  { method: "GET", path: ITEM, section, handle: show },
  { method: "DELETE", path: ITEM, section, handle: remove },
];

/** Inbound triggers queue runs in the workspace, outbound triggers in other workspaces. */
function list(operation: Operation): StubResponse {
  const { request, world } = operation;
  const { id } = theWorkspace(operation);
  const direction = request.query.get("filter[run-trigger][type]");
  if (direction !== "inbound" && direction !== "outbound")
    throw new Refusal(400, [
      {
        status: "400",
        title: "bad request",
        detail: "filter[run-trigger][type] must be inbound or outbound",
      },
    ]);
  const listed = triggersOf(world).filter(({ workspace, source }) =>
    direction === "inbound" ? workspace === id : source === id,
  );
  return answer(page(request, listed, (trigger) => render(trigger, world)));
}

/** "The user must have admin access to the workspace and permission to read runs for the sourceable workspace." */
function create(operation: Operation): StubResponse {
  const { request, world, caller, identifiers } = operation;
  const workspace = theAdministeredWorkspace(operation);
  const { sourceable } = readResource(request, "run-triggers").relationships;
  const target = isObject(sourceable) ? sourceable.data : undefined;
  if (!isObject(target) || target.type !== "workspaces" || typeof target.id !== "string")
    throw refuse("Sourceable must be a relationship with the id of a workspace");
  const source = world.workspaces.get(target.id);
  if (source === undefined || source.organization !== workspace.organization || !caller.reads(source))
    throw notFound();
  if (source.id === workspace.id) throw refuse("Sourceable cannot be the workspace itself");
  const own = triggersOf(world).filter((trigger) => trigger.workspace === workspace.id);
  if (own.some((trigger) => trigger.source === source.id)) throw refuse("Sourceable has already been taken");
  if (own.length >= MOST) throw refuse(`A workspace has at most ${MOST} source workspaces`);
  const trigger = {
    id: identifiers.fresh("rt"),
    workspace: workspace.id,
    source: source.id,
    createdAt: request.now,
  };
  world.runTriggers.set(trigger.id, trigger);
  return answer({ data: render(trigger, world) }, 201);
}

/** "Permission to read runs for either the workspace or sourceable workspace." */
function show(operation: Operation): StubResponse {
  const { world, caller } = operation;
  const trigger = theTrigger(operation);
  const ends = [trigger.workspace, trigger.source].map((id) => world.workspaces.get(id));
  if (!ends.some((workspace) => workspace !== undefined && caller.reads(workspace))) throw notFound();
  return answer({ data: render(trigger, world) });
}

function remove(operation: Operation): StubResponse {
  const { world, caller } = operation;
  const trigger = theTrigger(operation);
  const workspace = world.workspaces.get(trigger.workspace);
  if (workspace === undefined || !caller.administers(workspace)) throw notFound();
  world.runTriggers.delete(trigger.id);
  return NO_CONTENT;
}

function theTrigger({ request, world }: Operation): RunTrigger {
  const trigger = world.runTriggers.get(request.params.run_trigger_id ?? "");
  if (trigger === undefined) throw notFound();
  return trigger;
}

function triggersOf({ runTriggers }: World): RunTrigger[] {
  return [...runTriggers.values()];
}

function refuse(detail: string): Refusal {
  return invalid({ pointer: "/data/relationships/sourceable", detail });
}

function render({ id, workspace, source, createdAt }: RunTrigger, { workspaces }: World): unknown {
  const to = (target: string) => ({ data: { id: target, type: "workspaces" } });
  return {
    id,
    type: "run-triggers",
    attributes: {
      "workspace-name": workspaces.get(workspace)?.name ?? "",
      "sourceable-name": workspaces.get(source)?.name ?? "",
      "created-at": timestamp(createdAt),
    },
    relationships: { workspace: to(workspace), sourceable: to(source) },
    links: { self: `/api/v2/run-triggers/${id}` },
  };
}
