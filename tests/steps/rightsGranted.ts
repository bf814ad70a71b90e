import type { Needed } from "../../provider/core/language/route";
import type { World } from "./world";

/** The seed that gives a token these permissions and no others, in the format of each stub. */
export type Grant = (token: string, needed: readonly Needed[], owner: World) => object | Promise<object>;

/** The name of the object of a permission: the last word of `on`. */
const nameIn = ({ on }: Needed) => decodeURIComponent(/(\S+)$/.exec(on)?.[1] ?? "");

const scheduler: Grant = (token, needed) => ({
  tokens: {
    [token]: {
      namespaces: {
        "*": needed.flatMap(({ anyOf }) => anyOf.map((right) => right.replace("namespace:", ""))),
      },
    },
  },
});

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
    else if (each.on === "the mesh") rules[resource] = level;
    else rules[resource] = { ...(rules[resource] as object), [nameIn(each)]: level };
  }
  return { tokens: { [token]: { rules } } };
};

const workspaces: Grant = async (token, needed, by) => {
  const team: Record<string, unknown> = {};
  const access: Record<string, unknown> = {};
  const isPersonal = needed.some(({ anyOf }) => anyOf[0] === "a user API token");
  for (const each of needed) {
    const [right] = each.anyOf;
    if (right === "Manage all workspaces") team.manageWorkspaces = true;
    else if (right === "Manage Private Registry") team.manageRegistry = true;
    else if (each.on.startsWith("each workspace")) for (const name of NEIGHBORS) access[name] = LEVELS[right];
    else if (right !== "membership" && right !== "a user API token")
      access[await workspaceName(nameIn(each), by)] = LEVELS[right];
  }
  const organizations = { acme: { teams: { [token]: { ...team, workspaces: access } } } };
  const owner = isPersonal
    ? { user: token, organizations: { acme: [token] } }
    : { team: token, organization: "acme" };
  return { organizations, tokens: { [token]: owner } };
};

/** The other workspaces of the subjects' organization. */
const NEIGHBORS = ["web", "api", "ops", "lab"];

const LEVELS: Readonly<Record<string, unknown>> = {
  "Read permission on runs": { runs: true },
  "Lock/unlock permission": { runs: true, locking: true },
  "Admin permission": "admin",
};

/** A team has access by a workspace's name; requests name its ID. */
async function workspaceName(text: string, owner: World): Promise<string> {
  if (!text.startsWith("ws-")) return text;
  const { json } = await owner.send("GET", `/api/v2/workspaces/${text}`, undefined, {
    authorization: "Bearer owner",
  });
  // The stub returns a JSON:API document, without data if the workspace was deleted.
  return (json as { data?: { attributes: { name: string } } }).data?.attributes.name ?? text;
}

export const GRANTS: Readonly<Record<string, Grant>> = { workspaces, scheduler, secrets, mesh };
