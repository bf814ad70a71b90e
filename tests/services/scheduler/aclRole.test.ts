import aclRole from "../../../provider/services/scheduler/aclRole";
import { changedPaths, expectNoChanges } from "../expectations";
import { scene } from "./scene";

const program = { name: "app", policies: ["read", "write"] };

async function roleScene() {
  const made = await scene(aclRole);
  for (const name of ["read", "write", "deny"])
    await made.theirs(`/v1/acl/policy/${name}`, { Name: name, Rules: 'agent { policy = "read" }' });
  return { ...made, at: () => `/v1/acl/role/${made.resource.id}` };
}

describe("Nomad ACL role", () => {
  test("is not created if a role of its name exists", async () => {
    const { resource, readServer, theirs } = await roleScene();
    await theirs("/v1/acl/role", { Name: "app", Policies: [{ Name: "deny" }] });
    await expect(resource.create(program)).rejects.toThrow(/Nomad ACL role .*already exists/);
    expect(await readServer("/v1/acl/role/name/app")).toMatchObject({ Policies: [{ Name: "deny" }] });
  });

  test("has the ID that Nomad assigns, also after a rename", async () => {
    const { resource, readServer, at } = await roleScene();
    await resource.create(program);
    expect(resource.outputs.roleId).toBe(resource.id);
    const renamed = { ...program, name: "application" };
    await resource.up(renamed);
    expect(await readServer(at())).toMatchObject({ Name: "application" });
    await expectNoChanges(resource, renamed);
  });

  test("has policies in any order, and is not written if someone else changed them", async () => {
    const { resource, readServer, changeAsOther, at } = await roleScene();
    await resource.create(program);
    expect(changedPaths(resource, { ...program, policies: ["write", "read"] })).toEqual([]);
    await changeAsOther(at(), "Policies", [{ Name: "deny" }]);
    await expect(resource.update({ ...program, policies: ["read"] })).rejects.toThrow(/conflict/);
    expect(await readServer(at())).toMatchObject({ Policies: [{ Name: "deny" }] });
  });

  test("is rejected with Nomad's own message if a policy does not exist", async () => {
    const { resource } = await roleScene();
    await expect(resource.create({ ...program, policies: ["none"] })).rejects.toThrow(
      "cannot find policy none",
    );
  });

  test("is only gone if Nomad itself says so", async () => {
    const { resource, world, deleteAsOther, at } = await roleScene();
    await resource.create(program);
    world.transformResponse = (_, answer) => ({ ...answer, status: 404, text: "", json: undefined });
    await expect(resource.refresh()).rejects.toThrow("404");
    world.transformResponse = (_, answer) => answer;
    await deleteAsOther(at());
    expect(await resource.refresh()).toBe(false);
  });

  test("is listed by its ID, with its name", async () => {
    const { resource, listed } = await roleScene();
    await resource.create(program);
    expect(await listed()).toEqual([expect.objectContaining({ id: resource.id, name: "app" })]);
  });
});
