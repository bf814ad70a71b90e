import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import agentPool from "../../../provider/services/workspaces/agentPool";
import oauthClient from "../../../provider/services/workspaces/oauthClient";
import project from "../../../provider/services/workspaces/project";
import sshKey from "../../../provider/services/workspaces/sshKey";
import { bindings } from "../../../provider/services/workspaces/tagBindings";
import team from "../../../provider/services/workspaces/team";
import variableSet from "../../../provider/services/workspaces/variableSet";
import { expectAccepted, RejectedRequest } from "../rejectedRequest";
import type { Edit, Subject } from "../subject";
import type { World } from "../world";
import { defined, maybe } from "./arbitraries";
import { workspaceWorld } from "./ofWorkspace";

const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };

/** Sends a request for the object `platform` of a collection, found by its name: the state may not contain its ID. */
async function ask(world: World, collection: string, method: string, changes?: object): Promise<void> {
  const { json } = await world.send("GET", `/api/v2/organizations/acme/${collection}`, undefined, headers);
  // The stub returns a JSON:API list.
  const { data } = json as { data: { id: string; attributes: { name: string } }[] };
  const own = data.find(({ attributes: { name } }) => name === "platform-team");
  if (own === undefined) throw new RejectedRequest(404, "there is none");
  const body = changes && { data: { type: collection, ...(changes as { [member: string]: Json }) } };
  expectAccepted(await world.send(method, `/api/v2/${collection}/${own.id}`, body, headers));
}

const inOrganization = (definition: Definition, collection: string) => ({
  definition,
  world: async () => workspaceWorld(definition),
  takeAway: (world: World) => ask(world, collection, "DELETE"),
  createTakes: () => ["GET", "POST"],
});

const name = fc.constant("platform-team");

const projectPrograms = fc
  .record({
    name,
    organization: maybe(fc.constant("acme")),
    description: maybe(fc.constantFrom("one", "two", "")),
    autoDestroyActivityDuration: maybe(fc.constantFrom("14d", "12h")),
    execution: maybe(
      fc.constantFrom<Values[]>(
        { defaultExecutionMode: "local" },
        { defaultExecutionMode: "remote", settingOverwrites: { executionMode: true } },
        { defaultExecutionMode: "agent", defaultAgentPoolId: "apool-general" },
        { defaultExecutionMode: "agent", defaultAgentPoolId: "apool-large" },
        { settingOverwrites: { executionMode: false, agentPool: false } },
      ),
    ),
    // A name equal to the token ("owner") would be masked as a secret.
    tagBindings: maybe(
      fc.dictionary(fc.constantFrom("env", "tier"), fc.constantFrom("a", "b"), { maxKeys: 2 }),
    ),
  })
  .map(({ execution, ...program }) => defined({ ...program, ...execution }));

const projectSubject: Subject = {
  ...inOrganization(project, "projects"),
  programs: projectPrograms,
  // A write of the execution mode also changes the overwrites, which another program may write.
  compatible: projectPrograms.map(
    ({ defaultExecutionMode: _, defaultAgentPoolId: __, settingOverwrites: ___, ...program }: Values) =>
      program,
  ),
  createTakes: ({ tagBindings }) => ["GET", "POST", ...(tagBindings === undefined ? [] : ["GET"])],
  refreshTakes: ({ tagBindings }) => (tagBindings === undefined ? 1 : 2),
  edits: fc.oneof(
    fc.constantFrom("theirs", "two").map((value): Edit => ({ property: "description", value })),
    fc.constantFrom("30d", "12h").map((value): Edit => ({ property: "autoDestroyActivityDuration", value })),
    fc
      .constantFrom<Json[]>({ env: "c" }, { cost: "1" }, {})
      .map((value): Edit => ({ property: "tagBindings", value })),
  ),
  edit: (world, _, { property, value }) => {
    if (property === "tagBindings") {
      const relationships = { "tag-bindings": { data: bindings(value) } };
      return ask(world, "projects", "PATCH", { relationships });
    }
    const attribute = property === "description" ? property : "auto-destroy-activity-duration";
    return ask(world, "projects", "PATCH", { attributes: { [attribute]: value } });
  },
};

const POOL = "agent-pools";
const targets = (ids: Json, type = "workspaces") => ({
  data: Array.isArray(ids) ? ids.map((id) => ({ type, id })) : [],
});

const assigned = maybe(fc.uniqueArray(fc.constantFrom("ws-app", "ws-web", "ws-api"), { maxLength: 2 }));
const projects = maybe(fc.uniqueArray(fc.constantFrom("prj-default", "prj-platform"), { maxLength: 2 }));

/** The relationships of an agent pool, with the type of their objects. */
const SCOPE: Readonly<Record<string, readonly [relationship: string, type: string]>> = {
  allowedWorkspaceIds: ["allowed-workspaces", "workspaces"],
  allowedProjectIds: ["allowed-projects", "projects"],
  excludedWorkspaceIds: ["excluded-workspaces", "workspaces"],
};

/** The agent pool `platform-team`. */
export const agentPoolSubject: Subject = {
  ...inOrganization(agentPool, POOL),
  programs: fc
    .record({
      name,
      organizationScoped: maybe(fc.boolean()),
      allowedWorkspaceIds: assigned,
      allowedProjectIds: projects,
      excludedWorkspaceIds: assigned,
    })
    .map(defined),
  edits: fc.oneof(
    fc.boolean().map((value): Edit => ({ property: "organizationScoped", value })),
    fc.record({
      property: fc.constantFrom("allowedWorkspaceIds", "excludedWorkspaceIds"),
      value: fc.constantFrom<Json[]>(["ws-web"], ["ws-ops"], []),
    }),
    fc.record({
      property: fc.constant("allowedProjectIds"),
      value: fc.constantFrom<Json[]>(["prj-default"], []),
    }),
  ),
  edit: (world, _, { property, value }) => {
    const [relationship, type] = SCOPE[property] ?? [];
    return ask(
      world,
      POOL,
      "PATCH",
      relationship === undefined
        ? { attributes: { "organization-scoped": value } }
        : { relationships: { [relationship]: targets(value, type) } },
    );
  },
};

const sshKeySubject: Subject = {
  ...inOrganization(sshKey, "ssh-keys"),
  // Only the name can be changed, by which other users and creates find the key.
  isFixed: true,
  programs: fc.constantFrom(
    { name: "platform-team", value: "-----BEGIN KEY-----" },
    { name: "platform-team", value: "-----BEGIN KEY-----", organization: "acme" },
  ),
  edits: fc.constant({ property: "name", value: "platform-team" }),
  edit: async () => undefined,
};

/** The variable set `platform-team`. */
export const variableSetSubject: Subject = {
  ...inOrganization(variableSet, "varsets"),
  programs: fc
    .record({
      name,
      description: maybe(fc.constantFrom("one", "two", "")),
      priority: maybe(fc.boolean()),
      global: maybe(fc.constant(false)),
      workspaceIds: assigned,
      projectIds: projects,
    })
    .map(defined),
  edits: fc.oneof(
    fc.constantFrom("theirs", "two").map((value): Edit => ({ property: "description", value })),
    fc.boolean().map((value): Edit => ({ property: "priority", value })),
    fc
      .constantFrom<Json[]>(["ws-web"], ["ws-ops"], [])
      .map((value): Edit => ({ property: "workspaceIds", value })),
  ),
  edit: (world, _, { property, value }) =>
    ask(
      world,
      "varsets",
      "PATCH",
      property === "workspaceIds"
        ? { relationships: { workspaces: targets(value) } }
        : { attributes: { [property]: value } },
    ),
};

/** The OAuth client `platform-team`. */
export const oauthClientSubject: Subject = {
  ...inOrganization(oauthClient, "oauth-clients"),
  programs: fc
    .record({
      name,
      serviceProvider: fc.constant("github"),
      httpUrl: fc.constant("https://github.com"),
      apiUrl: fc.constant("https://api.github.com"),
      oauthTokenString: maybe(fc.constantFrom("a-token", "another-token")),
      organizationScoped: maybe(fc.boolean()),
      projectIds: projects,
      agentPoolId: maybe(fc.constantFrom("apool-general", "apool-large")),
    })
    .map(defined),
  edits: fc.oneof(
    fc.boolean().map((value): Edit => ({ property: "organizationScoped", value })),
    fc
      .constantFrom<Json[]>(["prj-default"], ["prj-platform"], [])
      .map((value): Edit => ({ property: "projectIds", value })),
  ),
  edit: (world, _, { property, value }) =>
    ask(
      world,
      "oauth-clients",
      "PATCH",
      property === "projectIds"
        ? { relationships: { projects: targets(value, "projects") } }
        : { attributes: { "organization-scoped": value } },
    ),
};

const access = fc.constantFrom(
  // The server adds readWorkspaces, so a killed create without it is not recognized as identical.
  { manageWorkspaces: true, readWorkspaces: true },
  { manageVcsSettings: true, manageModules: false },
  { managePolicies: false },
);

/** The team `platform-team`. */
export const teamSubject: Subject = {
  ...inOrganization(team, "teams"),
  programs: fc
    .record({
      name,
      visibility: maybe(fc.constantFrom("secret", "organization")),
      ssoTeamId: maybe(fc.constantFrom("one", "")),
      organizationAccess: maybe(access),
      allowMemberTokenManagement: maybe(fc.boolean()),
    })
    .map(defined),
  edits: fc.oneof(
    fc.constantFrom("secret", "organization").map((value): Edit => ({ property: "visibility", value })),
    fc.constantFrom("theirs", "one").map((value): Edit => ({ property: "ssoTeamId", value })),
    fc.boolean().map((value): Edit => ({ property: "allowMemberTokenManagement", value })),
  ),
  edit: (world, _, { property, value }) => {
    const attribute = { ssoTeamId: "sso-team-id", visibility: "visibility" }[property];
    return ask(world, "teams", "PATCH", {
      attributes: { [attribute ?? "allow-member-token-management"]: value },
    });
  },
};

/** Projects, agent pools, SSH keys, teams, variable sets and OAuth clients of the organization `acme`. */
export const inOrganizationSubjects: readonly Subject[] = [
  projectSubject,
  agentPoolSubject,
  sshKeySubject,
  variableSetSubject,
  oauthClientSubject,
];
