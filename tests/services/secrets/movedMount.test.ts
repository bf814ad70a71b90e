import { PlaceMemory } from "../../../provider/core/language/placeMemory";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import libraryCheckOut from "../../../provider/services/secrets/libraryCheckOut";
import mount from "../../../provider/services/secrets/mount";
import queueConnection from "../../../provider/services/secrets/queueConnection";
import queueCredentials from "../../../provider/services/secrets/queueCredentials";
import queueRole from "../../../provider/services/secrets/queueRole";
import { Resource } from "../../steps/resource";
import { read, secretsWorld, write } from "../../steps/subjects/secretsScene";
import type { World } from "../../steps/world";

const ROLE = { name: "orders", tags: "monitoring" };
const CONNECTION = { connectionUri: "http://broker:15672", username: "admin", password: "hush" };

/** A mounted RabbitMQ engine at `old`, and one resource below it, in one command. */
async function below(
  definition: AnyDefinition,
  program: { readonly [name: string]: Json },
  namespace?: string,
) {
  const world = await secretsWorld(definition, {
    "sys/mounts/other": { type: "rabbitmq" },
    "other/roles/orders": { tags: "theirs" },
  });
  const engine = new Resource(world, mount);
  await engine.create({ path: "old", type: "rabbitmq" });
  if (definition === queueCredentials) {
    await write(world, "old/config/connection", {
      connection_uri: "http://b:1",
      username: "a",
      password: "b",
    });
    await write(world, "old/roles/orders", { tags: "monitoring" });
  }
  const resource = new Resource(world, definition);
  await resource.create({ ...program, mount: "old", ...(namespace && { namespace }) });
  return { world, engine, resource, ...nextCommand(engine, resource) };
}

/** The memory of a new command. */
function nextCommand(...resources: readonly Resource[]) {
  const places = new PlaceMemory();
  places.hasChecked = true;
  for (const resource of resources) resource.places = places;
  return { places };
}

const writesOf = (world: World) =>
  world.requests.filter(({ nature }) => nature !== "read").map(({ path }) => path);

async function moveTo(engine: Resource, path: string): Promise<void> {
  const program = { path, type: "rabbitmq" };
  expect(engine.preview(program).changes).toHaveLength(1);
  await engine.update(program);
}

describe("a resource below a mount that the same command moves", () => {
  test.each<[string, AnyDefinition, { readonly [name: string]: Json }]>([
    ["an object", queueRole, ROLE],
    ["a write-only resource", queueConnection, CONNECTION],
  ])(
    "%s is updated in place, in the preview and in the up, without a request",
    async (_, definition, program) => {
      const { world, engine, resource } = await below(definition, program);
      const moved = { ...program, mount: "new" };
      engine.preview({ path: "new", type: "rabbitmq" });
      const { changes } = resource.preview(moved);
      expect(changes).toMatchObject([{ path: ["mount"], kind: "update", replaces: false }]);
      await moveTo(engine, "new");
      const before = writesOf(world).length;
      await resource.up(moved);
      expect(writesOf(world)).toHaveLength(before);
      expect(resource.outputs).toMatchObject({ mount: "new" });
      nextCommand(engine, resource);
      expect(resource.preview(moved).changes).toEqual([]);
      if (definition === queueRole) {
        expect([await resource.refresh(), resource.id]).toEqual([true, "new/orders"]);
      }
      expect(resource.preview(moved).changes).toEqual([]);
    },
  );

  test("is read, compared and written at the new path if another property changes, too", async () => {
    const { world, engine, resource } = await below(queueRole, ROLE);
    await moveTo(engine, "new");
    const changed = { ...ROLE, mount: "new", tags: "management" };
    expect(resource.preview(changed).changes.map(({ path, replaces }) => [path[0], replaces])).toEqual([
      ["mount", false],
      ["tags", false],
    ]);
    await resource.up(changed);
    expect(await read(world, "new/roles/orders")).toMatchObject({ tags: "management" });
    expect(resource.record.address).toMatchObject({ mount: "new" });
  });

  test("reports a conflict at the new path", async () => {
    const { world, engine, resource } = await below(queueRole, ROLE);
    await moveTo(engine, "new");
    await write(world, "new/roles/orders", { tags: "theirs" });
    await expect(resource.up({ ...ROLE, mount: "new", tags: "management" })).rejects.toThrow(/conflict/);
    expect(await read(world, "new/roles/orders")).toMatchObject({ tags: "theirs" });
  });

  test("is deleted at the new path if the program no longer contains it", async () => {
    const { world, engine, resource } = await below(queueRole, ROLE);
    await moveTo(engine, "new");
    await resource.delete();
    expect(await read(world, "new/roles/orders")).toEqual({});
  });

  test("is replaced if it belongs to another mount, or if the program gives it a different mount", async () => {
    const { engine, resource } = await below(queueRole, ROLE);
    await moveTo(engine, "new");
    const replaced = (mount: string) =>
      resource.preview({ ...ROLE, mount }).changes.filter(({ replaces }) => replaces).length;
    expect([replaced("new"), replaced("other")]).toEqual([0, 1]);
  });

  test("is replaced if it is a lease, which the move revokes", async () => {
    const { engine, resource } = await below(queueCredentials, { name: "orders" });
    await moveTo(engine, "new");
    const { changes } = resource.preview({ name: "orders", mount: "new" });
    expect(changes.filter(({ replaces }) => replaces)).toHaveLength(1);
  });

  test("is checked in at the new path if it is a check-out that the program no longer contains", async () => {
    const world = await secretsWorld(libraryCheckOut, {
      "sys/mounts/old": { type: "ldap" },
      "old/config": { binddn: "cn=admin", bindpass: "hush" },
      "old/library/ops": { service_account_names: ["svc-1"], ttl: 3600 },
    });
    const engine = new Resource(world, mount);
    await engine.create({ path: "old", type: "ldap", adopt: true });
    const resource = new Resource(world, libraryCheckOut);
    await resource.create({ mount: "old", setName: "ops" });
    nextCommand(engine, resource);
    const moved = { path: "new", type: "ldap" };
    engine.preview(moved);
    await engine.update(moved);
    await resource.delete();
    expect(await read(world, "new/library/ops/status")).toMatchObject({ "svc-1": { available: true } });
  });

  test("stays where it is if the mount of another server or namespace moves", async () => {
    const { resource, places } = await below(queueRole, ROLE);
    places.move(JSON.stringify(["secrets", "http://elsewhere", undefined, "mount", "old"]), "new");
    const { changes } = resource.preview({ ...ROLE, mount: "new" });
    expect(changes.filter(({ replaces }) => replaces)).toHaveLength(1);
  });
});
