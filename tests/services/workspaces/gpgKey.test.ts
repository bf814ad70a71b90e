import gpgKey from "../../../provider/services/workspaces/gpgKey";
import { GPG_KEYS } from "../../../testing/tests/stub/gpg-keys";
import { Resource } from "../../steps/resource";
import { workspaceWorld } from "../../steps/subjects/ofWorkspace";
import { bodiesOf, expectNoChanges, inWorld, replacedBy } from "../expectations";
import { as, OWNER_WITHOUT_ACCESS } from "./workspace-scene";

const ALL = "/api/registry/private/v2/gpg-keys";
const { one, two } = GPG_KEYS;
const program = { asciiArmor: one.asciiArmor };

function scene() {
  const world = workspaceWorld(gpgKey);
  return { world, resource: new Resource(world, gpgKey) };
}
const theirs = (world: ReturnType<typeof scene>["world"], { asciiArmor }: { asciiArmor: string }) =>
  world.send(
    "POST",
    ALL,
    { data: { type: "gpg-keys", attributes: { namespace: "acme", "ascii-armor": asciiArmor } } },
    as("owner"),
  );

describe("GPG key", () => {
  test("is sent to the registry's own path, and gets its ID from the server", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    expect(resource.id).toBe(`acme/${one.keyId}`);
    expect(resource.outputs).toMatchObject({ keyId: one.keyId, ...program });
    expect(world.requests.map(({ method, path }) => [method, path])).toEqual([
      ["GET", ALL],
      ["POST", ALL],
    ]);
    expect(bodiesOf(world, "POST")).toEqual([
      { data: { type: "gpg-keys", attributes: { "ascii-armor": one.asciiArmor, namespace: "acme" } } },
    ]);
    await expectNoChanges(resource, program);
  });

  test("is replaced if the program contains another key", async () => {
    const { resource } = scene();
    await resource.create(program);
    expect(replacedBy(resource, { asciiArmor: two.asciiArmor })).toEqual(["asciiArmor"]);
  });

  test("a create of an existing key fails, unless adopt is true", async () => {
    const { world, resource } = scene();
    await theirs(world, one);
    await expect(resource.create(program)).rejects.toThrow("already exists");
    expect(bodiesOf(world, "POST")).toEqual([]);
    await resource.create({ ...program, adopt: true });
    expect(resource.id).toBe(`acme/${one.keyId}`);
  });

  test("another key of the organization is never taken for the program's", async () => {
    const { world, resource } = scene();
    await theirs(world, two);
    await resource.create({ ...program, adopt: true });
    expect(resource.outputs.keyId).toBe(one.keyId);
  });

  test("is removed from the state only if the organization's list does not contain it", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const other = new Resource(world, gpgKey);
    Object.assign(other, { id: resource.id, outputs: resource.outputs, inputs: resource.inputs });
    await world.send("DELETE", `${ALL}/acme/${one.keyId}`, undefined, as("owner"));
    expect(await resource.refresh()).toBe(false);
    world.stub.seed(OWNER_WITHOUT_ACCESS);
    await expect(other.refresh()).rejects.toThrow("returned 404");
  });

  test("a delete that is answered as the vendor's table documents it (201) is proven by a read", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    world.transformResponse = (request, answer) =>
      request.method === "DELETE" ? { ...answer, status: 201 } : answer;
    world.requests.length = 0;
    await resource.delete();
    expect(world.requests.map(({ method }) => method)).toEqual(["GET", "DELETE", "GET", "GET"]);
  });

  test("is imported by organization and key ID", async () => {
    const { world, resource } = scene();
    await resource.create(program);
    const read = new Resource(world, gpgKey);
    expect(await read.get(`acme/${one.keyId}`)).toMatchObject(program);
  });

  test("an error for a token without the permission names the permission", async () => {
    const { world, resource } = scene();
    world.stub.seed({ tokens: { member: { user: "max", organizations: { acme: [] } } } });
    const member = inWorld(resource, world.with({ token: "member" }));
    await expect(member.create(program)).rejects.toThrow("Manage Private Registry");
  });
});

test("a response to a create without the key's ID proves nothing: the list decides", async () => {
  const { world, resource } = scene();
  world.transformResponse = (request, answer) =>
    request.method === "POST" ? { ...answer, json: { data: { id: "1", type: "gpg-keys" } } } : answer;
  await resource.create(program);
  expect(resource.id).toBe(`acme/${one.keyId}`);
  expect(bodiesOf(world, "POST")).toHaveLength(1);
});
