import { callFunction } from "../../../provider/core/functions/call";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import agentPool from "../../../provider/services/workspaces/agentPool";
import functions from "../../../provider/services/workspaces/functions";
import project from "../../../provider/services/workspaces/project";
import sshKey from "../../../provider/services/workspaces/sshKey";
import team from "../../../provider/services/workspaces/team";
import variableSet from "../../../provider/services/workspaces/variableSet";
import workspace from "../../../provider/services/workspaces/workspace";
import { Resource } from "../../steps/resource";
import { workspaceWorld } from "../../steps/subjects/ofWorkspace";
import type { Fate } from "../../steps/world";
import { bodiesOf, expectNoChanges, inWorld, problemsOf, replacedBy } from "../expectations";
import { as, OWNER_WITHOUT_ACCESS } from "./workspace-scene";

const KEY = "canary-private-key";
const { getProject, getAgentPool, getSshKey, getVariableSet, getTeam } = functions;
const LOOKUPS = {
  projectId: getProject,
  agentPoolId: getAgentPool,
  sshKeyId: getSshKey,
  variableSetId: getVariableSet,
  teamId: getTeam,
};
const rows: readonly (readonly [string, Definition, Values, string, keyof typeof LOOKUPS])[] = [
  ["project", project, { name: "platform-team" }, "projects", "projectId"],
  ["agent pool", agentPool, { name: "platform-team" }, "agent-pools", "agentPoolId"],
  ["variable set", variableSet, { name: "platform-team" }, "varsets", "variableSetId"],
  ["team", team, { name: "platform-team" }, "teams", "teamId"],
  ["SSH key", sshKey, { name: "platform-team", value: KEY }, "ssh-keys", "sshKeyId"],
];

function scene(definition: Definition) {
  const world = workspaceWorld(definition);
  const resource = new Resource(world, definition);
  const ask = async (method: string, path: string, data?: { [name: string]: Json }): Promise<Json> => {
    const body = data === undefined ? undefined : { data };
    const { status, json = null } = await world.send(method, `/api/v2/${path}`, body, as("owner"));
    expect(status).toBeLessThan(300);
    return json;
  };
  return { world, resource, ask };
}

describe.each(rows)("%s of an organization", (_, definition, program, collection, id) => {
  const all = `organizations/acme/${collection}`;

  test("is renamed in place, keeps its ID, and is deleted with one read and one request", async () => {
    const { world, resource } = scene(definition);
    await resource.create(program);
    await expectNoChanges(resource, program);
    const before = resource.outputs[id];
    const renamed = { ...program, name: "another-team" };
    expect(replacedBy(resource, renamed)).toEqual([]);
    await resource.up(renamed);
    expect(resource.outputs).toMatchObject({ [id]: before, name: "another-team" });
    expect(bodiesOf(world, "PATCH")).toEqual([
      { data: { type: collection, attributes: { name: "another-team" } } },
    ]);
    await expectNoChanges(resource, renamed);
    world.requests.length = 0;
    await resource.delete();
    expect(world.requests.map(({ method }) => method)).toEqual(["GET", "DELETE"]);
  });

  test("is not renamed if another user renamed it since the last read", async () => {
    const { world, resource, ask } = scene(definition);
    await resource.create(program);
    await ask("PATCH", `${collection}/${resource.outputs[id]}`, {
      type: collection,
      attributes: { name: "their-team" },
    });
    await expect(resource.update({ ...program, name: "another-team" })).rejects.toThrow("conflict");
    expect(bodiesOf(world, "PATCH")).toEqual([]);
  });

  test("a create of an existing name fails, and nothing is written", async () => {
    const { world, resource, ask } = scene(definition);
    const { name = "", value = null } = program;
    await ask("POST", all, { type: collection, attributes: { name, value } });
    await expect(resource.create(program)).rejects.toThrow("already exists");
    expect(bodiesOf(world, "POST")).toEqual([]);
  });

  test("an existing one is adopted with adopt: true, except an SSH key, whose value no response shows", async () => {
    const { resource, ask } = scene(definition);
    expect("adopt" in definition.fields).toBe(definition !== sshKey);
    if (definition === sshKey) return;
    const { name = "" } = program;
    await ask("POST", all, { type: collection, attributes: { name, value: "theirs" } });
    await resource.create({ ...program, adopt: true });
    expect(resource.id).toBe(`acme/${resource.outputs[id]}`);
  });

  test("is removed from the state if the organization's list does not contain it", async () => {
    const { resource, ask } = scene(definition);
    await resource.create(program);
    await ask("DELETE", `${collection}/${resource.outputs[id]}`);
    expect(await resource.refresh()).toBe(false);
    await resource.delete();
  });

  test("stays in the state if the token can no longer read the organization", async () => {
    const { world, resource } = scene(definition);
    await resource.create(program);
    world.stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(resource.refresh()).rejects.toThrow("returned 404");
    await expect(resource.delete()).rejects.toThrow("returned 404");
  });

  test("is imported by organization and ID", async () => {
    const { world, resource } = scene(definition);
    await resource.create(program);
    const read = new Resource(world, definition);
    expect(await read.get(resource.id)).toMatchObject({ name: "platform-team" });
    expect(read.outputs[id]).toBe(resource.outputs[id]);
  });

  test("a token without the permission cannot create it, and the error names the permission", async () => {
    const { world, resource } = scene(definition);
    world.stub.seed({ tokens: { member: { user: "max", organizations: { acme: ["admins"] } } } });
    world.stub.seed({ organizations: { acme: { teams: { admins: { workspaces: { app: "admin" } } } } } });
    const member = inWorld(resource, world.with({ token: "member" }));
    await expect(member.create(program)).rejects.toThrow(
      /Manage (all projects|all workspaces|agent pools|teams|VCS settings)/,
    );
  });

  test("is looked up by name; a name that the organization's list does not contain is an error", async () => {
    const { world, resource } = scene(definition);
    await resource.create(program);
    const lookUp = (name: string) =>
      callFunction(LOOKUPS[id], { name }, { connection: world.connection, log: () => {} });
    const { result } = await lookUp("platform-team");
    expect(result).toMatchObject({
      id: resource.id,
      organization: "acme",
      name: "platform-team",
      [id]: resource.outputs[id],
    });
    expect(JSON.stringify(result)).not.toContain("canary");
    await expect(lookUp("Platform-team")).rejects.toThrow(`"acme/Platform-team" does not exist`);
  });

  test("its ID can be used by a workspace", async () => {
    // A variable set names its workspaces itself, and a TeamAccess the workspaces of a team.
    if (definition === variableSet || definition === team) return;
    const { world, resource } = scene(definition);
    await resource.create(program);
    const app = new Resource(world.another(), workspace);
    const mode = definition === agentPool ? { executionMode: "agent" } : {};
    const inputs = { name: "shop", [id]: String(resource.outputs[id]), ...mode };
    await app.create(inputs);
    await expectNoChanges(app, inputs);
  });
});

describe("agent pool", () => {
  test("sends the allowed workspaces as a relationship, and an empty list removes them", async () => {
    const { world, resource } = scene(agentPool);
    const limited = {
      name: "platform-team",
      organizationScoped: false,
      allowedWorkspaceIds: ["ws-web", "ws-app"],
    };
    await resource.create(limited);
    expect(bodiesOf(world, "POST")).toEqual([
      {
        data: {
          type: "agent-pools",
          attributes: { name: "platform-team", "organization-scoped": false },
          relationships: {
            "allowed-workspaces": { data: ["ws-web", "ws-app"].map((id) => ({ type: "workspaces", id })) },
          },
        },
      },
    ]);
    await expectNoChanges(resource, { ...limited, allowedWorkspaceIds: ["ws-app", "ws-web"] });
    const { allowedWorkspaceIds: _, ...open } = limited;
    await resource.up(open);
    expect(bodiesOf(world, "PATCH")).toMatchObject([
      { data: { relationships: { "allowed-workspaces": { data: [] } } } },
    ]);
    await expectNoChanges(resource, open);
  });

  test.each([
    ["allowedProjectIds", "allowed-projects", "projects", "prj-platform"],
    ["excludedWorkspaceIds", "excluded-workspaces", "workspaces", "ws-web"],
  ])(
    "%s is a relationship, and stays as others set it if the program does not",
    async (property, name, type, id) => {
      const { world, resource, ask } = scene(agentPool);
      const limited = { name: "platform-team", organizationScoped: false };
      await resource.create({ ...limited, [property]: [id] });
      expect(bodiesOf(world, "POST")).toMatchObject([
        { data: { relationships: { [name]: { data: [{ type, id }] } } } },
      ]);
      await resource.up(limited);
      expect(bodiesOf(world, "PATCH")).toMatchObject([{ data: { relationships: { [name]: { data: [] } } } }]);
      const theirs = { [name]: { data: [{ type, id }] } };
      const path = `agent-pools/${resource.outputs.agentPoolId}`;
      await ask("PATCH", path, { type: "agent-pools", relationships: theirs } as never);
      await resource.refresh();
      await expectNoChanges(resource, limited);
      expect(await ask("GET", path)).toMatchObject({ data: { relationships: theirs } });
    },
  );

  test("keeps the allowed workspaces of another user if the program does not set them", async () => {
    const { resource, ask } = scene(agentPool);
    await resource.create({ name: "platform-team" });
    const { agentPoolId } = resource.outputs;
    const allowed = { "allowed-workspaces": { data: [{ type: "workspaces", id: "ws-web" }] } };
    await ask("PATCH", `agent-pools/${agentPoolId}`, { type: "agent-pools", relationships: allowed });
    await resource.up({ name: "platform-team", organizationScoped: false });
    expect(await ask("GET", `agent-pools/${agentPoolId}`)).toMatchObject({
      data: { relationships: allowed },
    });
  });
});

describe("SSH key", () => {
  test("does not count as created if another user takes its name at the last moment, perhaps with another value", async () => {
    const { world, resource, ask } = scene(sshKey);
    world.fate = async ({ method }): Promise<Fate> => {
      const attributes = { name: "platform-team", value: "theirs" };
      if (method === "POST")
        await ask("POST", "organizations/acme/ssh-keys", { type: "ssh-keys", attributes });
      return "passes";
    };
    await expect(resource.create({ name: "platform-team", value: KEY })).rejects.toThrow("already exists");
  });

  test("is replaced if its value changes: no response contains the value, and it is deleted first", async () => {
    const { resource, ask } = scene(sshKey);
    const program = { name: "platform-team", value: KEY };
    await resource.create(program);
    const preview = resource.preview({ ...program, value: "canary-other" });
    expect(preview.changes.map(({ path, replaces }) => [path, replaces])).toEqual([[["value"], true]]);
    expect(preview.deleteFirst).toBe(true);
    expect(JSON.stringify(await ask("GET", "organizations/acme/ssh-keys"))).not.toContain("canary");
  });
});

describe("project", () => {
  test("null clears the activity duration if the program drops it", async () => {
    const { world, resource } = scene(project);
    await resource.create({ name: "platform-team", autoDestroyActivityDuration: "14d" });
    await resource.up({ name: "platform-team" });
    expect(bodiesOf(world, "PATCH")).toEqual([
      { data: { type: "projects", attributes: { "auto-destroy-activity-duration": null } } },
    ]);
    await expectNoChanges(resource, { name: "platform-team" });
  });

  const agents = {
    name: "platform-team",
    defaultExecutionMode: "agent",
    defaultAgentPoolId: "apool-general",
  };

  test("sets the execution mode and the agent pool together, and inherits both again if the program drops them", async () => {
    const { world, resource } = scene(project);
    await resource.create(agents);
    expect(bodiesOf(world, "POST")).toMatchObject([
      {
        data: {
          attributes: { "default-execution-mode": "agent", "default-agent-pool-id": "apool-general" },
        },
      },
    ]);
    expect(resource.outputs).toMatchObject({ settingOverwrites: { executionMode: true, agentPool: true } });
    await expectNoChanges(resource, agents);
    await resource.up({ name: "platform-team" });
    expect(bodiesOf(world, "PATCH")).toMatchObject([
      {
        data: {
          attributes: {
            "setting-overwrites": { "default-execution-mode": false, "default-agent-pool": false },
          },
        },
      },
    ]);
    expect(resource.outputs).toMatchObject({ settingOverwrites: { executionMode: false, agentPool: false } });
    await expectNoChanges(resource, { name: "platform-team" });
  });

  test("writes an execution mode that the project only inherits so far", async () => {
    const { world, resource } = scene(project);
    await resource.create({ name: "platform-team" });
    const program = { name: "platform-team", defaultExecutionMode: "remote" };
    await resource.up(program);
    expect(bodiesOf(world, "PATCH")).toEqual([
      { data: { type: "projects", attributes: { "default-execution-mode": "remote" } } },
    ]);
    expect(resource.outputs).toMatchObject({ settingOverwrites: { executionMode: true } });
    await expectNoChanges(resource, program);
  });

  test("shows an execution mode that another user changed as drift, and the next up restores it with its pool", async () => {
    const { resource, ask } = scene(project);
    await resource.create(agents);
    await ask("PATCH", `projects/${resource.outputs.projectId}`, {
      type: "projects",
      attributes: { "default-execution-mode": "local" },
    });
    await resource.refresh();
    expect(resource.preview(agents).changes.map(({ path }) => path)).toEqual(
      expect.arrayContaining([["defaultExecutionMode"], ["defaultAgentPoolId"]]),
    );
    await resource.up(agents);
    expect(resource.outputs).toMatchObject(agents);
    await expectNoChanges(resource, agents);
  });

  test("an import contains the project's own settings, and not the organization's", async () => {
    const { world, resource } = scene(project);
    await resource.create(agents);
    expect(await new Resource(world, project).get(resource.id)).toMatchObject(agents);
    await resource.up({ name: "platform-team" });
    const read = await new Resource(world, project).get(resource.id);
    expect(read).not.toHaveProperty("defaultExecutionMode");
    expect(read).not.toHaveProperty("defaultAgentPoolId");
  });

  test.each<[property: string, program: Values]>([
    ["defaultAgentPoolId", { defaultExecutionMode: "agent" }],
    ["defaultAgentPoolId", { defaultExecutionMode: "local", defaultAgentPoolId: "apool-general" }],
    ["settingOverwrites.executionMode", { settingOverwrites: { executionMode: true, agentPool: false } }],
    ["defaultExecutionMode", { settingOverwrites: { executionMode: true } }],
    ["defaultExecutionMode", { defaultExecutionMode: "local", settingOverwrites: { executionMode: false } }],
  ])("the check rejects %s in %j", (path, program) => {
    const problems = scene(project).resource.check({ name: "platform-team", ...program });
    expect(problems.map((problem) => problem.path)).toContain(path);
  });

  test("is created with its key-value tags, adds tags with a request of its own, and replaces all to remove one", async () => {
    const { world, resource } = scene(project);
    const tagged = (tagBindings: Values) => ({ name: "platform-team", tagBindings });
    await resource.create(tagged({ env: "test" }));
    const data = [{ type: "tag-bindings", attributes: { key: "env", value: "test" } }];
    expect(bodiesOf(world, "POST")).toMatchObject([
      { data: { relationships: { "tag-bindings": { data } } } },
    ]);
    await resource.up(tagged({ env: "test", owner: "web" }));
    await resource.up(tagged({ owner: "web" }));
    const paths = world.requests.filter(({ method }) => method === "PATCH").map(({ path }) => path);
    const id = resource.outputs.projectId;
    expect(paths).toEqual([`/api/v2/projects/${id}/tag-bindings`, `/api/v2/projects/${id}`]);
    await expectNoChanges(resource, tagged({ owner: "web" }));
  });

  test("is not deleted while a workspace is in it", async () => {
    const { world, resource } = scene(project);
    await resource.create({ name: "platform-team" });
    const app = new Resource(world.another(), workspace);
    await app.create({ name: "shop", projectId: String(resource.outputs.projectId) });
    await expect(resource.delete()).rejects.toThrow("returned 422");
  });

  test.each(["ab", "a".repeat(41), " team", "team ", "te/am"])("the check rejects the name %j", (name) => {
    expect(problemsOf(scene(project).resource, { name })).toEqual([expect.stringMatching(/^name: /)]);
  });
});

describe("variable set", () => {
  const program = { name: "platform-team", workspaceIds: ["ws-app", "ws-web"], projectIds: ["prj-platform"] };

  test("is created with its workspaces and projects, and an update sends only what changed", async () => {
    const { world, resource } = scene(variableSet);
    await resource.create(program);
    await expectNoChanges(resource, program);
    expect(resource.outputs).toMatchObject(program);
    const changed = { ...program, workspaceIds: ["ws-web"], priority: true };
    await resource.up(changed);
    const workspaces = { data: [{ type: "workspaces", id: "ws-web" }] };
    expect(bodiesOf(world, "PATCH")).toEqual([
      { data: { type: "varsets", attributes: { priority: true }, relationships: { workspaces } } },
    ]);
    await expectNoChanges(resource, changed);
  });

  test("keeps workspaces that others assigned if the program does not set workspaceIds", async () => {
    const { resource, ask } = scene(variableSet);
    await resource.create({ name: "platform-team" });
    const workspaces = { data: [{ type: "workspaces", id: "ws-app" }] };
    const theirs = { type: "varsets", relationships: { workspaces } };
    await ask("PATCH", `varsets/${resource.outputs.variableSetId}`, theirs as never);
    expect(await resource.refresh()).toBe(true);
    expect(resource.preview({ name: "platform-team" }).changes).toEqual([]);
    await resource.up({ name: "platform-team", description: "ours" });
    expect(resource.outputs.workspaceIds).toEqual(["ws-app"]);
  });

  test.each(["workspaceIds", "projectIds"])("a global set cannot have %s", (name) => {
    const { resource } = scene(variableSet);
    const given = { name: "platform-team", global: true, [name]: ["an-id"] };
    expect(problemsOf(resource, given).join()).toContain(`${name}: given ["an-id"]: must be empty`);
    expect(problemsOf(resource, { ...given, [name]: [] })).toEqual([]);
  });
});
