import teamAccess from "../../../provider/services/workspaces/teamAccess";
import { Resource } from "../../steps/resource";
import { WORKSPACE_ID, workspaceWorld } from "../../steps/subjects/ofWorkspace";
import { bodiesOf, expectNoChanges, problemsOf, replacedBy } from "../expectations";
import { as } from "./workspace-scene";

const of = { workspaceId: WORKSPACE_ID, teamId: "team-runners" };
const custom = { ...of, access: "custom", runs: "apply", variables: "read" };

/** The permissions of a custom access that sets none. */
const LEAST = {
  runs: "read",
  variables: "none",
  "state-versions": "none",
  "sentinel-mocks": "none",
  "workspace-locking": false,
  "run-tasks": false,
  "policy-overrides": false,
};

function scene() {
  const world = workspaceWorld(teamAccess);
  return { world, resource: new Resource(world, teamAccess) };
}
const patched = (world: ReturnType<typeof scene>["world"]) =>
  bodiesOf(world, "PATCH").map((body) => (body as { data: { attributes: object } }).data.attributes);

describe("team access", () => {
  test("names the team and the workspace as relationships of a create", async () => {
    const { world, resource } = scene();
    await resource.create({ ...of, access: "write" });
    const to = (type: string, id: string) => ({ data: { type, id } });
    expect(bodiesOf(world, "POST")).toEqual([
      {
        data: {
          type: "team-workspaces",
          attributes: { access: "write" },
          relationships: { team: to("teams", "team-runners"), workspace: to("workspaces", WORKSPACE_ID) },
        },
      },
    ]);
    expect(resource.id).toBe(`${WORKSPACE_ID}/${resource.outputs.teamAccessId}`);
    await expectNoChanges(resource, { ...of, access: "write" });
  });

  test("a custom access sends only changed permissions, and restores the default of a removed one", async () => {
    const { world, resource } = scene();
    await resource.create(custom);
    await resource.up({ ...custom, runs: "plan" });
    const { variables: _, ...rest } = custom;
    await resource.up({ ...rest, runs: "plan" });
    expect(patched(world)).toEqual([{ runs: "plan" }, { variables: "none" }]);
    await expectNoChanges(resource, { ...rest, runs: "plan" });
  });

  test("a change from a custom access to a level sends the level only, and back with the permissions", async () => {
    const { world, resource } = scene();
    await resource.create(custom);
    await resource.up({ ...of, access: "admin" });
    await expectNoChanges(resource, { ...of, access: "admin" });
    await resource.up(custom);
    expect(patched(world)).toEqual([
      { access: "admin" },
      { ...LEAST, access: "custom", runs: "apply", variables: "read" },
    ]);
    await expectNoChanges(resource, custom);
  });

  test("a change from a level to a custom access leaves no permission of the level", async () => {
    const { world, resource } = scene();
    await resource.create({ ...of, access: "write" });
    const program = { ...of, access: "custom", stateVersions: "read" };
    await resource.up(program);
    expect(patched(world)).toEqual([{ ...LEAST, access: "custom", "state-versions": "read" }]);
    expect(resource.outputs).toMatchObject({ runs: "read", variables: "none", workspaceLocking: false });
    await expectNoChanges(resource, program);
  });

  test("a level that someone else changed is drift, and a conflict for an up without a refresh", async () => {
    const { world, resource } = scene();
    await resource.create({ ...of, access: "read" });
    const body = { data: { type: "team-workspaces", attributes: { access: "write" } } };
    const path = `/api/v2/team-workspaces/${resource.outputs.teamAccessId}`;
    await world.send("PATCH", path, body, as("owner"));
    await expect(resource.update({ ...of, access: "admin" })).rejects.toThrow("conflict");
    expect(patched(world)).toEqual([]);
    await resource.refresh();
    await resource.up({ ...of, access: "admin" });
    expect(patched(world)).toEqual([{ access: "admin" }]);
  });

  test("permissions are rejected without a custom access, before any request", () => {
    const { resource } = scene();
    expect(problemsOf(resource, { ...of, access: "write", runs: "apply" })).toEqual([
      expect.stringContaining("is only allowed if access is custom"),
    ]);
    expect(problemsOf(resource, custom)).toEqual([]);
  });

  test("another team or workspace replaces it", async () => {
    const { resource } = scene();
    await resource.create(custom);
    expect(replacedBy(resource, { ...custom, teamId: "team-owners" })).toEqual(["teamId"]);
    expect(replacedBy(resource, { ...custom, workspaceId: "ws-web" })).toEqual(["workspaceId"]);
  });

  test("a create for a team that has access fails, unless adopt is true", async () => {
    const { world, resource } = scene();
    await new Resource(world, teamAccess).create({ ...of, access: "read" });
    world.requests.length = 0;
    await expect(resource.create({ ...of, access: "write" })).rejects.toThrow("already exists");
    expect(bodiesOf(world, "POST")).toEqual([]);
    await resource.create({ ...of, access: "write", adopt: true });
    expect(patched(world)).toEqual([{ access: "write" }]);
  });

  test("is removed from the state with its team", async () => {
    const { world, resource } = scene();
    await resource.create(custom);
    await world.send("DELETE", "/api/v2/teams/team-runners", undefined, as("owner"));
    expect(await resource.refresh()).toBe(false);
  });

  test("is imported by the IDs, or by the workspace's name, and not as a part of another workspace", async () => {
    const { world, resource } = scene();
    await resource.create(custom);
    const { teamAccessId } = resource.outputs;
    for (const id of [resource.id, `acme/app/${teamAccessId}`])
      expect(await new Resource(world, teamAccess).get(id)).toMatchObject(custom);
    await expect(new Resource(world, teamAccess).get(`ws-web/${teamAccessId}`)).rejects.toThrow();
  });
});
