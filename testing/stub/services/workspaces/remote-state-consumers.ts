import type { StubResponse } from "../../service";
import { readResources } from "./documents";
import { invalid, notFound } from "./errors";
import {
  answer,
  type Endpoint,
  NO_CONTENT,
  type Operation,
  store,
  theAdministeredWorkspace,
  theWorkspace,
} from "./operation";
import { page } from "./paging";
import { renderWorkspace } from "./render";
import type { Workspace } from "./world";

const PATH = "/workspaces/:workspace_id/relationships/remote-state-consumers";

/** The workspaces that may read a workspace's state: list, add, replace and delete. */
export const remoteStateConsumerEndpoints: readonly Endpoint[] = [
  { method: "GET", path: PATH, section: "List remote state consumers", handle: list },
  {
    method: "POST",
    path: PATH,
    section: "Add remote state consumers",
    handle: changing((before, given) => [...new Set([...before, ...given])]),
  },
  {
    method: "PATCH",
    path: PATH,
    section: "Replace remote state consumers",
    handle: changing((_before, given) => [...new Set(given)]),
  },
  {
    method: "DELETE",
    path: PATH,
    section: "Delete remote state consumers",
    handle: changing((before, given) => before.filter((id) => !given.includes(id))),
  },
];

/**
 * "When `global-remote-state` is false the list holds the workspaces specifically authorized; when true it holds every
 * workspace of the organization except the subject." With `project-remote-state`, it holds those of its project (manual:
 * Terraform Enterprise, Workspaces API). Omits workspaces that the caller cannot read.
 */
function list(operation: Operation): StubResponse {
  const { request, caller, world, switches } = operation;
  const subject = theWorkspace(operation);
  const isInProject = subject.plain["project-remote-state"] === true;
  const isShared = isInProject || subject.plain["global-remote-state"] === true;
  const neighbors = [...world.workspaces.values()].filter(
    (other) => isNeighbor(subject, other) && (!isInProject || other.project === subject.project),
  );
  const consumers = isShared ? neighbors : subject.consumers.flatMap((id) => world.workspaces.get(id) ?? []);
  const readable = consumers.filter((consumer) => caller.reads(consumer));
  return answer(page(request, readable, (consumer) => renderWorkspace(consumer, caller, world, switches)));
}

function changing(
  change: (before: readonly string[], given: readonly string[]) => readonly string[],
): (operation: Operation) => StubResponse {
  return (operation) => {
    const subject = theAdministeredWorkspace(operation);
    const given = readResources(operation.request, "workspaces").map(({ id }, index) => {
      if (typeof id !== "string") {
        throw invalid({ pointer: `/data/${index}/id`, detail: "id must be the id of a workspace" });
      }
      return id;
    });
    const unknown = given.some((id) => {
      const other = operation.world.workspaces.get(id);
      return other === undefined || !isNeighbor(subject, other) || !operation.caller.reads(other);
    });
    // Deleting a consumer that no longer exists succeeds.
    if (unknown && operation.request.method !== "DELETE") throw notFound();
    store(operation, { ...subject, consumers: change(subject.consumers, given) });
    return NO_CONTENT;
  };
}

function isNeighbor(subject: Workspace, other: Workspace): boolean {
  return other.organization === subject.organization && other.id !== subject.id;
}
