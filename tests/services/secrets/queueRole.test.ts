import queueRole from "../../../provider/services/secrets/queueRole";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";

function scene() {
  const stub = new SecretsService({
    seed: { tokens: { root: {} }, policies: {}, namespaces: {} },
    switches: {},
  });
  const world = new World(stub, queueRole, { token: "root" });
  return { world, role: new Resource(world, queueRole) };
}
const asRoot = { "x-secrets-token": "root", "content-type": "application/json" };
const program = { name: "app", tags: "monitoring", vhosts: '{"/": {"read": ".*"}}' };

test("a role is created with one look, one write and one read back, and the next preview is empty", async () => {
  const { world, role } = scene();
  await role.create(program);
  expect(role.id).toBe("msgq/app");
  expect(world.requests.map(({ method }) => method)).toEqual(["GET", "POST", "GET"]);
  expect(role.preview(program).changes).toEqual([]);
  expect(await role.refresh()).toBe(true);
  expect(role.preview(program).changes).toEqual([]);
  expect(role.inputs).toEqual(program);
});

test("a drift is shown, and the next up puts it back", async () => {
  const { world, role } = scene();
  await role.create(program);
  await world.send(
    "POST",
    "/v1/msgq/roles/app",
    { tags: "policymaker", vhosts: '{"/":{"read":".*"}}' },
    asRoot,
  );
  await role.refresh();
  expect(role.preview(program).changes).toMatchObject([{ path: ["tags"], cause: "drift", kind: "update" }]);
  expect(await role.up(program)).toBe(true);
  expect(role.preview(program).changes).toEqual([]);
  const { json } = await world.send("GET", "/v1/msgq/roles/app", undefined, asRoot);
  expect(json).toMatchObject({ data: { tags: "monitoring" } });
});

test("an edit by somebody else between preview and up is a conflict, and theirs stays", async () => {
  const { world, role } = scene();
  await role.create(program);
  await world.send("POST", "/v1/msgq/roles/app", { tags: "policymaker", vhosts: "{}" }, asRoot);
  await expect(role.update({ ...program, tags: "management" })).rejects.toThrow(/conflict/);
  const { json } = await world.send("GET", "/v1/msgq/roles/app", undefined, asRoot);
  expect(json).toMatchObject({ data: { tags: "policymaker" } });
});

test("delete removes it, and deleting what is gone succeeds", async () => {
  const { world, role } = scene();
  await role.create(program);
  await role.delete();
  expect((await world.send("GET", "/v1/msgq/roles/app", undefined, asRoot)).status).toBe(404);
  await role.delete();
});
