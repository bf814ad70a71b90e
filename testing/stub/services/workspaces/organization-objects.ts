import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { StubResponse } from "../../service";
import { removeTokensOf } from "./agent-tokens";
import { type ResourceDocument, readResource, resourceList } from "./documents";
import { invalid, notFound, type Problem } from "./errors";
import { flagProblem, problemOf, withFlags } from "./object-attributes";
import { answer, type Endpoint, NO_CONTENT, type Operation, theOrganization } from "./operation";
import { KINDS, type Kind } from "./organization-kinds";
import { page } from "./paging";
import { completeProject, presentProject } from "./project-settings";
import { timestamp, variablesOf } from "./render";
import type { Organization } from "./settings";
import { boundTags } from "./tag-bindings";
import type { OrganizationObject, World } from "./world";

/** List, create, show, update and delete of projects, agent pools, SSH keys, variable sets and teams. */
export const organizationObjectEndpoints: readonly Endpoint[] = KINDS.flatMap((kind) => {
  const collection = `/organizations/:organization_name/${kind.type}`;
  const item = `/${kind.type}/:object_id`;
  const { section } = kind;
  return [
    { method: "GET", path: collection, section, handle: (operation) => list(operation, kind) },
    { method: "POST", path: collection, section, handle: (operation) => create(operation, kind) },
    { method: "GET", path: item, section, handle: (operation) => show(operation, kind) },
    { method: "PATCH", path: item, section, handle: (operation) => update(operation, kind) },
    { method: "DELETE", path: item, section, handle: (operation) => remove(operation, kind) },
  ] satisfies Endpoint[];
});

/** Adds the objects that an organization's settings name by their IDs. */
export function plantObjects(world: World, organization: string, now: number): void {
  for (const kind of KINDS)
    for (const id of idsOf(world.organizations.get(organization), kind)) {
      if (world.objects.has(id)) continue;
      const name = id.slice(id.indexOf("-") + 1);
      world.objects.set(id, { ...blank(kind, organization, now), id, name });
    }
}

/** The IDs of the objects in an organization's settings. Every organization has the team `owners`. */
function idsOf(organization: Organization | undefined, { type, setting }: Kind): readonly string[] {
  if (organization === undefined) return [];
  if (setting !== undefined) return organization[setting];
  return type === "teams" ? ["owners", ...Object.keys(organization.teams)].map((name) => `team-${name}`) : [];
}

function blank({ type, attributes }: Kind, organization: string, createdAt: number) {
  const initially = Object.entries(attributes).map(
    ([name, attribute]) => [name, attribute.initially] as const,
  );
  return {
    type,
    organization,
    createdAt,
    attributes: Object.fromEntries(initially),
    related: {},
    tagBindings: [],
  };
}

function list(operation: Operation, kind: Kind): StubResponse {
  const { request, world } = operation;
  const organization = theOrganization(operation);
  if (!kind.reads(operation.caller, organization)) throw notFound();
  const objects = [...world.objects.values()].filter(
    (object) =>
      object.type === kind.type &&
      object.organization === organization &&
      kind.shows?.(operation.caller, object) !== false,
  );
  const isPaged = kind.hasPages || request.query.has("page[number]") || request.query.has("page[size]");
  if (!isPaged) return answer({ data: objects.map((object) => render(object, kind, world)) });
  return answer(page(request, objects, (object) => render(object, kind, world)));
}

function create(operation: Operation, kind: Kind): StubResponse {
  const { caller, identifiers, request } = operation;
  const organization = theOrganization(operation);
  if (!kind.manages(caller, organization)) throw notFound();
  const before = { ...blank(kind, organization, request.now), id: identifiers.fresh(kind.prefix), name: "" };
  const object = change(operation, kind, before, true);
  return answer({ data: render(object, kind, operation.world) }, 201);
}

function show(operation: Operation, kind: Kind): StubResponse {
  return answer({ data: render(theObject(operation, kind, kind.reads), kind, operation.world) });
}

function update(operation: Operation, kind: Kind): StubResponse {
  const object = change(operation, kind, theObject(operation, kind, kind.manages), false);
  return answer({ data: render(object, kind, operation.world) });
}

function remove(operation: Operation, kind: Kind): StubResponse {
  const { world } = operation;
  const { id, organization } = theObject(operation, kind, kind.manages);
  const users = [...world.workspaces.values()];
  if (users.some((workspace) => kind.isUsed?.(id, workspace)))
    throw invalid({ pointer: "/data", detail: "the object is used by a workspace and cannot be deleted" });
  world.objects.delete(id);
  removeTokensOf(world, id);
  for (const variable of variablesOf({ id }, world)) world.variables.delete(variable);
  nameIn(world, organization, kind, (ids) => ids.filter((one) => one !== id));
  for (const access of world.teamAccesses.values())
    if (access.team === id) world.teamAccesses.delete(access.id);
  for (const workspace of users)
    if (workspace.sshKey === id) world.workspaces.set(workspace.id, { ...workspace, sshKey: null });
  return NO_CONTENT;
}

/** The object in the path; throws a 404 if it is absent or the caller may not do this. */
export function theObject(
  { world, caller, request }: Operation,
  { type, shows }: Kind,
  isAllowed: Kind["reads"],
): OrganizationObject {
  const object = world.objects.get(request.params.object_id ?? "");
  if (object === undefined || object.type !== type || !caller.isMember(object.organization)) throw notFound();
  if (!isAllowed(caller, object.organization) || shows?.(caller, object) === false) throw notFound();
  return object;
}

/** Applies a body to an object, and stores it. */
function change(
  operation: Operation,
  kind: Kind,
  before: OrganizationObject,
  isNew: boolean,
): OrganizationObject {
  const document = readResource(operation.request, kind.type);
  const problems: Problem[] = [];
  const attributes: Record<string, JsonValue> = { ...before.attributes };
  for (const [name, attribute] of Object.entries(kind.attributes)) {
    const { initially, isHidden } = attribute;
    const value = document.attributes[name];
    if (value === undefined || (isHidden && !isNew)) continue;
    const after = isObject(value) ? withFlags(before.attributes[name], value) : (value ?? initially);
    const problem =
      (value === null ? undefined : problemOf(value, attribute)) ??
      (isObject(after) ? flagProblem(after) : undefined);
    if (problem !== undefined)
      problems.push({ pointer: `/data/attributes/${name}`, detail: `${name} ${problem}` });
    attributes[name] = after;
  }
  const { name = before.name } = document.attributes;
  const reject = (detail: string) => problems.push({ pointer: "/data/attributes/name", detail });
  if (typeof name !== "string" || name === "") reject("Name can't be blank");
  else {
    const problem = kind.problemOf?.(name);
    if (problem !== undefined) reject(problem);
    if (isTaken(operation.world, { ...before, name })) reject("Name has already been taken");
  }
  if (kind.type === "ssh-keys" && isNew && !document.attributes.value)
    problems.push({ pointer: "/data/attributes/value", detail: "Value can't be blank" });
  const settings = operation.world.organizations.get(before.organization);
  const isProject = kind.type === "projects" && settings !== undefined;
  const completed = isProject
    ? completeProject(attributes, document.attributes, settings, problems)
    : attributes;
  if (problems.length > 0) throw invalid(...problems);
  const tags = isProject ? document.relationships["tag-bindings"] : undefined;
  const at = "/data/relationships/tag-bindings/data";
  const tagBindings = isObject(tags) ? boundTags(operation, before, tags.data, at) : before.tagBindings;
  const related = { ...before.related, ...relatedIn(operation, kind, document) };
  const after = { ...before, name: String(name), attributes: completed, related, tagBindings };
  operation.world.objects.set(after.id, after);
  if (isNew) nameIn(operation.world, after.organization, kind, (ids) => [...ids, after.id]);
  return after;
}

/** Changes the IDs in an organization's settings, to which references from workspaces are compared. */
function nameIn(
  { organizations }: World,
  name: string,
  { setting }: Kind,
  changed: (ids: readonly string[]) => string[],
): void {
  const organization = organizations.get(name);
  if (organization !== undefined && setting !== undefined)
    organizations.set(name, { ...organization, [setting]: changed(organization[setting]) });
}

function isTaken({ objects }: World, { id, type, organization, name }: OrganizationObject): boolean {
  return [...objects.values()].some(
    (other) =>
      other.id !== id && other.type === type && other.organization === organization && other.name === name,
  );
}

/** The relationships in a body; a relationship that the body does not name stays. */
function relatedIn(
  { world }: Operation,
  { relationships: known = {} }: Kind,
  { relationships }: ResourceDocument,
): Record<string, readonly string[]> {
  const given = Object.entries(known).flatMap(([name, type]) => {
    const own = relationships[name];
    if (!isObject(own)) return [];
    const ids = resourceList(own.data, type, `/data/relationships/${name}/data`).map(({ id }) => {
      if (typeof id !== "string" || !exists(world, id)) throw notFound();
      return id;
    });
    return [[name, ids] as const];
  });
  return Object.fromEntries(given);
}

function exists({ workspaces, objects }: World, id: string): boolean {
  return workspaces.has(id) || objects.get(id)?.type === "projects";
}

function render(object: OrganizationObject, kind: Kind, world: World): unknown {
  const { attributes: known, relationships = {} } = kind;
  const { id, type, organization, name, createdAt, related } = object;
  const project = type === "projects" ? presentProject(object, world) : undefined;
  const attributes = project?.attributes ?? object.attributes;
  const shown = Object.entries(attributes).filter(([member]) => !known[member]?.isHidden);
  const own: JsonObject = {
    name,
    ...(type === "teams" ? { "users-count": 0 } : { "created-at": timestamp(createdAt) }),
    ...Object.fromEntries(shown),
  };
  const self = { self: `/api/v2/${type}/${id}` };
  if (type === "ssh-keys") return { id, type, attributes: { name }, links: self };
  const targets = (ids: readonly string[], of: string) => ({
    data: ids.map((one) => ({ id: one, type: of })),
  });
  const shownRelated = Object.entries(relationships).map(([member, of]) => {
    const ids = (related[member] ?? []).filter((one) => exists(world, one));
    return [member, targets(ids, of)] as const;
  });
  const users = [...world.workspaces.values()]
    .filter(({ agentPool }) => agentPool === id)
    .map((user) => user.id);
  return {
    id,
    type,
    attributes: own,
    relationships: {
      organization: { data: { id: organization, type: "organizations" } },
      ...(type === "agent-pools" && { workspaces: targets(users, "workspaces") }),
      ...(type === "varsets" && { vars: targets(variablesOf(object, world), "vars") }),
      ...Object.fromEntries(shownRelated),
      ...project?.relationships,
    },
    links: self,
  };
}
