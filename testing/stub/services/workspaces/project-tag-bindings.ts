import type { StubResponse } from "../../service";
import { readResources } from "./documents";
import type { Endpoint, Operation } from "./operation";
import { KINDS, type Kind } from "./organization-kinds";
import { theObject } from "./organization-objects";
import { answerBindings, boundTags, NO_ROUTE } from "./tag-bindings";

const PATH = "/projects/:object_id/tag-bindings";
const SECTION = "API: projects";

/** Key-value tags of a project. go-tfe: a PATCH adds tags, or changes their values. */
export const projectTagEndpoints: readonly Endpoint[] = KINDS.filter(
  ({ type }) => type === "projects",
).flatMap((kind) => [
  { method: "GET", path: PATH, section: SECTION, handle: (operation) => show(operation, kind) },
  { method: "PATCH", path: PATH, section: SECTION, handle: (operation) => add(operation, kind) },
]);

function show(operation: Operation, kind: Kind): StubResponse {
  if (!operation.switches.tagBindingsExist) return NO_ROUTE;
  return answerBindings(theObject(operation, kind, kind.reads));
}

function add(operation: Operation, kind: Kind): StubResponse {
  if (!operation.switches.tagBindingsExist) return NO_ROUTE;
  const project = theObject(operation, kind, kind.manages);
  const given = boundTags(operation, project, readResources(operation.request, "tag-bindings"), "/data");
  const others = project.tagBindings.filter(({ key }) => given.every((binding) => binding.key !== key));
  const after = { ...project, tagBindings: [...others, ...given] };
  operation.world.objects.set(after.id, after);
  return answerBindings(after);
}
