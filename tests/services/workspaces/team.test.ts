import type { Json } from "../../../provider/core/value/json";
import team from "../../../provider/services/workspaces/team";
import { Resource } from "../../steps/resource";
import { workspaceWorld } from "../../steps/subjects/ofWorkspace";
import { bodiesOf, expectNoChanges, problemsOf } from "../expectations";
import { as } from "./workspace-scene";

function scene() {
  const world = workspaceWorld(team);
  return { world, resource: new Resource(world, team) };
}
type Scene = ReturnType<typeof scene>;

/** The team's permissions on the server. */
async function access({ world, resource }: Scene): Promise<Record<string, boolean>> {
  const { json } = await world.send(
    "GET",
    `/api/v2/teams/${resource.outputs.teamId}`,
    undefined,
    as("owner"),
  );
  // The stub returns a JSON:API document.
  return (json as { data: { attributes: { "organization-access": Record<string, boolean> } } }).data
    .attributes["organization-access"];
}
const patched = ({ world }: Scene) =>
  bodiesOf(world, "PATCH").map((body) => (body as { data: { attributes: Json } }).data.attributes);
const programOf = (organizationAccess?: { [name: string]: boolean }) => ({
  name: "platform-team",
  ...(organizationAccess && { organizationAccess }),
});

describe("team", () => {
  test("keeps permissions that the program does not set, as others set them", async () => {
    const own = scene();
    await own.resource.create(programOf({ manageModules: true }));
    await own.world.send(
      "PATCH",
      `/api/v2/teams/${own.resource.outputs.teamId}`,
      { data: { type: "teams", attributes: { "organization-access": { "manage-providers": true } } } },
      as("owner"),
    );
    await expectNoChanges(own.resource, programOf({ manageModules: true }));
    await own.resource.up(programOf({ manageModules: false }));
    expect(patched(own)).toEqual([{ "organization-access": { "manage-modules": false } }]);
    expect(await access(own)).toMatchObject({ "manage-modules": false, "manage-providers": true });
  });

  test("is adopted with the permissions that the program does not set", async () => {
    const own = scene();
    await own.resource.create(programOf({ manageModules: true, manageProviders: true }));
    const adopting = new Resource(own.world, team);
    await adopting.create({ ...programOf({ manageModules: false }), adopt: true });
    expect(await access(own)).toMatchObject({ "manage-modules": false, "manage-providers": true });
    expect(own.world.logged.join("\n")).not.toMatch(/manageProviders/);
  });

  test("permissions that the server adds are no change", async () => {
    const own = scene();
    await own.resource.create(programOf({ manageWorkspaces: true }));
    expect(await access(own)).toMatchObject({ "manage-workspaces": true, "read-workspaces": true });
    await expectNoChanges(own.resource, programOf({ manageWorkspaces: true }));
  });

  test("a permission that the program removes is revoked", async () => {
    const own = scene();
    await own.resource.create(programOf({ manageModules: true, managePolicies: true }));
    await own.resource.up(programOf({ managePolicies: true }));
    expect(await access(own)).toMatchObject({ "manage-modules": false, "manage-policies": true });
    await expectNoChanges(own.resource, programOf({ managePolicies: true }));
  });

  test("the permission to read workspaces stays if the program removes it, because other permissions include it", async () => {
    const own = scene();
    await own.resource.create(programOf({ manageWorkspaces: true, readWorkspaces: true }));
    const { changes, notes } = own.resource.preview(programOf({ manageWorkspaces: true }));
    expect(changes.map(({ path }) => path)).toEqual([["organizationAccess", "readWorkspaces"]]);
    expect(notes).toEqual([expect.stringContaining("no longer contains organizationAccess.readWorkspaces")]);
    await own.resource.up(programOf({ manageWorkspaces: true }));
    expect(patched(own)).toEqual([]);
    await expectNoChanges(own.resource, programOf({ manageWorkspaces: true }));
    expect(own.resource.preview(programOf({ manageWorkspaces: true })).notes).toEqual([]);
    await own.resource.up(programOf({ manageWorkspaces: false, readWorkspaces: false }));
    expect(Object.values(await access(own)).filter(Boolean)).toEqual([]);
  });

  test("the permission to manage workspaces cannot be removed before the permission to manage projects", async () => {
    const own = scene();
    await own.resource.create(programOf({ manageProjects: true, manageWorkspaces: true }));
    const without = programOf({ manageProjects: true });
    expect(problemsOf(own.resource, without)).toEqual([
      expect.stringMatching(/^organizationAccess\.manageWorkspaces: .*manageProjects: true requires it/),
    ]);
    await expect(own.resource.update(without)).rejects.toThrow("422");
    await own.resource.up(programOf({}));
    expect(await access(own)).toMatchObject({ "manage-projects": false, "manage-workspaces": false });
  });

  test("all permissions are revoked if the program removes them", async () => {
    const own = scene();
    await own.resource.create(programOf({ manageModules: true, managePolicies: true }));
    await own.resource.up(programOf());
    expect(Object.values(await access(own)).filter(Boolean)).toEqual([]);
    await expectNoChanges(own.resource, programOf());
  });

  test("a permission and its contradiction are rejected before any request", () => {
    const { resource } = scene();
    for (const [name, other] of [
      ["manageWorkspaces", "readWorkspaces"],
      ["readProjects", "readWorkspaces"],
    ] as const)
      expect(problemsOf(resource, programOf({ [name]: true, [other]: false }))).toEqual([
        expect.stringContaining(`${name} includes ${other}`),
      ]);
    expect(problemsOf(resource, { name: "platform team" })).toEqual([
      expect.stringContaining("must consist of letters, numbers, - and _"),
    ]);
  });
});
