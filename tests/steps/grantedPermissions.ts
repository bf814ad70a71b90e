import type { Needed } from "../../provider/core/language/route";
import type { World } from "./world";

/** The seed that gives a token these permissions and no others, in the format of each stub. */
export type Grant = (token: string, needed: readonly Needed[], owner: World) => object | Promise<object>;

/** The name of the object of a permission: the last word of `on`. */
const nameIn = ({ on }: Needed) => decodeURIComponent(/(\S+)$/.exec(on)?.[1] ?? "");

const scheduler: Grant = (token, needed) => {
  const permissions = needed.flatMap(({ anyOf }) => anyOf);
  const capabilities = permissions
    .filter((right) => /^(namespace|variables):/.test(right))
    // Any capability in a namespace lets a token read the namespace itself.
    .map((right) => (right === "namespace:*" ? "dispatch-job" : right.replace("namespace:", "")));
  return {
    tokens: {
      [token]: {
        nodePools: permissions.flatMap((right) => (right.startsWith("node_pool:") ? [right.slice(10)] : [])),
        node: permissions.includes("node:read"),
        management: permissions.includes("management"),
        namespaces: { "*": capabilities },
      },
    },
  };
};

const secrets: Grant = (token, needed) => {
  const policy: Record<string, string[]> = {};
  for (const { anyOf, on } of needed) {
    const path = on.replace("the path ", "");
    policy[path] = [...(policy[path] ?? []), anyOf[0]];
  }
  return { policies: { [token]: policy }, tokens: { [token]: { policies: [token] } } };
};

const mesh: Grant = (token, needed) => {
  const rules: Record<string, unknown> = {};
  for (const each of needed) {
    const [resource = "", level = ""] = each.anyOf[0].split(":");
    if (/^(every other|each) /.test(each.on)) rules[`${resource}Prefix`] = { "": level };
    else if (each.on === "the mesh" || each.on === "ACLs") rules[resource] = level;
    else rules[resource] = { ...(rules[resource] as object), [nameIn(each)]: level };
  }
  return { tokens: { [token]: { rules } } };
};

const workspaces: Grant = async (token, needed, by) => {
  const team: Record<string, unknown> = {};
  const access: Record<string, unknown> = {};
  const onProjects: Record<string, boolean> = {};
  const isPersonal = needed.some(({ anyOf }) => anyOf[0] === "a user API token");
  for (const each of needed) {
    const [right] = each.anyOf;
    if (right === "Manage all workspaces") team.manageWorkspaces = true;
    else if (right === "Manage Private Registry") team.manageRegistry = true;
    else if (right === "Manage all projects") team.manageProjects = true;
    else if (right === "Manage agent pools") team.manageAgentPools = true;
    else if (right === "Manage VCS settings") team.manageVcsSettings = true;
    else if (right === "Manage teams") team.manageTeams = true;
    else if (right === "Create workspaces") onProjects.create = true;
    else if (right === "Move workspaces") onProjects.move = true;
    else if (/^(each workspace|the source workspace$)/.test(each.on))
      for (const name of NEIGHBORS) access[name] = LEVELS[right];
    // The request's body or query names the workspace of the subjects.
    else if (each.on === "the workspace") access.app = combined(access.app, LEVELS[right]);
    else if (right !== "membership" && right !== "a user API token") {
      const name = isOfRun(each.on) ? "app" : await workspaceName(nameIn(each), by);
      access[name] = combined(access[name], LEVELS[right]);
    }
  }
  const projects = Object.fromEntries(PROJECTS.map((id) => [id, onProjects]));
  const organizations = { acme: { teams: { [token]: { ...team, projects, workspaces: access } } } };
  const owner = isPersonal
    ? { user: token, organizations: { acme: [token] } }
    : { team: token, organization: "acme" };
  return { organizations, tokens: { [token]: owner } };
};

/** The projects of the subjects' organization; the first one is the default project. */
export const PROJECTS = ["prj-default", "prj-platform"] as const;

/** True if a right is on the workspace of a run or of a configuration version: the subjects' ones belong to `app`. */
const isOfRun = (on: string) => on === "the workspace" || /^the workspace of (run|cv)-/.test(on);

/** The other workspaces of the subjects' organization. */
const NEIGHBORS = ["web", "api", "ops", "lab"];

const LEVELS: Readonly<Record<string, unknown>> = {
  "Read permission on runs": { runs: true },
  "Plan permission on runs": { runs: true, plan: true },
  "Apply permission on runs": { runs: true, write: true },
  "Lock/unlock permission": { runs: true, locking: true },
  "Read state outputs": { outputs: true },
  "Read permission on variables": { variables: "read" },
  "Read and write permission on variables": { variables: "write" },
  "Admin permission": "admin",
};

/** The access with both of two levels. A named level contains every single permission that these tests grant. */
function combined(one: unknown, other: unknown): unknown {
  if (typeof one === "string") return one;
  return typeof other === "string" ? other : { ...(one as object | undefined), ...(other as object) };
}

/** Objects of a workspace by the prefix of their IDs: their collection, and the relationship to the workspace. */
const PARTS = [
  ["rt-", "run-triggers", "workspace"],
  ["nc-", "notification-configurations", "subscribable"],
  ["tws-", "team-workspaces", "workspace"],
] as const;

/** A team has access by a workspace's name; requests name its ID, or the ID of an object of the workspace. */
async function workspaceName(text: string, owner: World): Promise<string> {
  const read = async (path: string) => {
    const { json } = await owner.send("GET", `/api/v2/${path}/${text}`, undefined, {
      authorization: "Bearer owner",
    });
    // The stub returns a JSON:API document, without data if the object was deleted.
    return (json as { data?: Shown }).data;
  };
  for (const [prefix, collection, relationship] of PARTS)
    if (text.startsWith(prefix)) {
      const id = (await read(collection))?.relationships[relationship]?.data.id;
      return id === undefined ? text : workspaceName(id, owner);
    }
  return text.startsWith("ws-") ? ((await read("workspaces"))?.attributes.name ?? text) : text;
}

interface Shown {
  readonly attributes: { readonly name: string };
  readonly relationships: { readonly [name: string]: { readonly data: { readonly id: string } } | undefined };
}

export const GRANTS: Readonly<Record<string, Grant>> = { workspaces, scheduler, secrets, mesh };
