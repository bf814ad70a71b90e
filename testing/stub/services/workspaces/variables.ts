import type { JsonObject } from "../../json";
import type { StubResponse } from "../../service";
import { readResource } from "./documents";
import { invalid, notFound, type Problem } from "./errors";
import { answer, type Endpoint, NO_CONTENT, type Operation, theWorkspace } from "./operation";
import { page } from "./paging";
import { timestamp } from "./render";
import type { Variable } from "./world";

/** The owner of variables in a request, and its relationship and path in their documents. */
interface Owner {
  readonly id: string;
  readonly relationships: JsonObject;
  readonly path: string;
}

/** One kind of owners: a workspace or a variable set. */
interface Kind {
  readonly collection: string;
  readonly section: string;
  readonly hasPages: boolean;
  /** Throws a 404 for a caller without the permission. */
  owner(operation: Operation, writes: boolean): Owner;
}

const KINDS: readonly Kind[] = [
  {
    collection: "/workspaces/:workspace_id/vars",
    section: "API: workspace variables",
    hasPages: false,
    owner: theOwningWorkspace,
  },
  {
    collection: "/varsets/:set_id/relationships/vars",
    section: "API: variable set variables",
    hasPages: true,
    owner: theOwningSet,
  },
];

/** The variables of workspaces and variable sets: list, create, show, update and delete. */
export const variableEndpoints: readonly Endpoint[] = KINDS.flatMap((kind) => {
  const { collection, section } = kind;
  const item = `${collection}/:variable_id`;
  return [
    { method: "GET", path: collection, section, handle: (operation) => list(operation, kind) },
    { method: "POST", path: collection, section, handle: (operation) => create(operation, kind) },
    { method: "GET", path: item, section, handle: (operation) => show(operation, kind) },
    { method: "PATCH", path: item, section, handle: (operation) => update(operation, kind) },
    { method: "DELETE", path: item, section, handle: (operation) => remove(operation, kind) },
  ] satisfies Endpoint[];
});

function list(operation: Operation, kind: Kind): StubResponse {
  const owner = kind.owner(operation, false);
  const own = [...operation.world.variables.values()].filter((variable) => variable.owner === owner.id);
  if (kind.hasPages) return answer(page(operation.request, own, (variable) => render(variable, owner)));
  return answer({ data: own.map((variable) => render(variable, owner)) });
}

function create(operation: Operation, kind: Kind): StubResponse {
  const owner = kind.owner(operation, true);
  const blank: Variable = {
    id: operation.identifiers.fresh("var"),
    owner: owner.id,
    createdAt: operation.request.now,
    version: operation.identifiers.fresh("version"),
    ...BLANK,
  };
  return answer({ data: render(store(operation, applyAttributes(operation, blank)), owner) }, 201);
}

function show(operation: Operation, kind: Kind): StubResponse {
  const owner = kind.owner(operation, false);
  return answer({ data: render(theVariable(operation, owner), owner) });
}

function update(operation: Operation, kind: Kind): StubResponse {
  const owner = kind.owner(operation, true);
  const before = theVariable(operation, owner);
  const after = applyAttributes(operation, before);
  const version = operation.identifiers.fresh("version");
  return answer({ data: render(store(operation, { ...after, version }), owner) });
}

function remove(operation: Operation, kind: Kind): StubResponse {
  const { id } = theVariable(operation, kind.owner(operation, true));
  operation.world.variables.delete(id);
  return NO_CONTENT;
}

/**
 * "Viewing variables requires permission to read variables for their workspace." "Creating, updating, and deleting variables
 * requires permission to read and write variables."
 */
function theOwningWorkspace(operation: Operation, writes: boolean): Owner {
  const { id, organization, name } = theWorkspace(operation, (caller, found) =>
    writes ? caller.writesVariables(found) : caller.readsVariables(found),
  );
  const related = `/api/v2/organizations/${organization}/workspaces/${name}`;
  const configurable = { data: { id, type: "workspaces" }, links: { related } };
  return { id, relationships: { configurable }, path: `/api/v2/workspaces/${id}/vars` };
}

/** Members of the organization read the variables of its sets. */
function theOwningSet({ world, caller, request }: Operation, writes: boolean): Owner {
  const set = world.objects.get(request.params.set_id ?? "");
  if (set?.type !== "varsets" || !caller.isMember(set.organization)) throw notFound();
  if (writes && !caller.managesWorkspaces(set.organization)) throw notFound();
  const { id } = set;
  const varset = { data: { id, type: "varsets" }, links: { related: `/api/v2/varsets/${id}` } };
  return { id, relationships: { varset }, path: `/api/v2/varsets/${id}/relationships/vars` };
}

function theVariable({ request, world }: Operation, { id }: Owner): Variable {
  const variable = world.variables.get(request.params.variable_id ?? "");
  if (variable === undefined || variable.owner !== id) throw notFound();
  return variable;
}

const BLANK = { key: "", value: "", description: null, category: "", hcl: false, sensitive: false } as const;

/** The longest key and description (page "Manage variables", character limits). */
const LONGEST = { key: 128, description: 512 } as const;

/** Applies the attributes of a body. A sensitive variable keeps its key, its parsing and its sensitivity. */
function applyAttributes(operation: Operation, before: Variable): Variable {
  const { attributes } = readResource(operation.request, "vars");
  const problems: Problem[] = [];
  const reject = (name: string, detail: string) =>
    problems.push({ pointer: `/data/attributes/${name}`, detail });
  const text = (name: "key" | "value" | "description" | "category"): string | undefined => {
    const value = attributes[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === "string") return value;
    reject(name, `${name} must be a string`);
    return undefined;
  };
  const flag = (name: "hcl" | "sensitive"): boolean | undefined => {
    const value = attributes[name];
    if (value === undefined || value === null || typeof value === "boolean") return value ?? undefined;
    reject(name, `${name} must be a boolean`);
    return undefined;
  };
  const after: Variable = {
    ...before,
    key: text("key") ?? before.key,
    value: text("value") ?? before.value,
    description: attributes.description === null ? null : (text("description") ?? before.description),
    category: text("category") ?? before.category,
    hcl: flag("hcl") ?? before.hcl,
    sensitive: flag("sensitive") ?? before.sensitive,
  };
  if (after.key === "") reject("key", "Key can't be blank");
  if (after.category !== "terraform" && after.category !== "env")
    reject("category", "Category must be terraform or env");
  for (const [name, longest] of Object.entries(LONGEST)) {
    const value = name === "key" ? after.key : (after.description ?? "");
    if (value.length > longest) reject(name, `${name} is too long (maximum is ${longest} characters)`);
  }
  if (before.sensitive) {
    if (after.key !== before.key) reject("key", "Key cannot be changed for a sensitive variable");
    if (after.hcl !== before.hcl) reject("hcl", "HCL cannot be changed for a sensitive variable");
    if (!after.sensitive) reject("sensitive", "Sensitive cannot be changed back to false");
  }
  const isTaken = [...operation.world.variables.values()].some(
    (other) =>
      other.id !== after.id &&
      other.owner === after.owner &&
      other.key === after.key &&
      other.category === after.category,
  );
  if (isTaken) reject("key", "Key has already been taken");
  if (problems.length > 0) throw invalid(...problems);
  return after;
}

function store({ world }: Operation, variable: Variable): Variable {
  world.variables.set(variable.id, variable);
  return variable;
}

function render(variable: Variable, { relationships, path }: Owner): unknown {
  const { id, key, value, sensitive, category, hcl, description, createdAt, version } = variable;
  const attributes: JsonObject = {
    key,
    value: sensitive ? null : value,
    sensitive,
    category,
    hcl,
    "created-at": timestamp(createdAt),
    description,
    "version-id": version,
  };
  return {
    id,
    type: "vars",
    attributes,
    relationships,
    links: { self: `${path}/${id}` },
  };
}
