import { addressOf, knownAddress } from "../../../provider/core/language/address";
import type { Values } from "../../../provider/core/language/object";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import cloudRole from "../../../provider/services/secrets/cloudRole";
import cloudStaticRole from "../../../provider/services/secrets/cloudStaticRole";
import librarySet from "../../../provider/services/secrets/librarySet";
import queueConnection from "../../../provider/services/secrets/queueConnection";
import queueLease from "../../../provider/services/secrets/queueLease";
import queueRole from "../../../provider/services/secrets/queueRole";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";
import { inWorld } from "../expectations";
import { scene } from "./scene";

const service = (dialect: "neutral" | "real") =>
  new SecretsService({ switches: { dialect }, seed: { tokens: { root: {} } } });

/** The same server in the real dialect, with the same mounts. */
function inReal(world: World, settings: Values = {}): World {
  world.stub.configure({ dialect: "real" });
  return world.with({ dialect: "real", ...settings });
}

const program = { name: "app", tags: "monitoring" };
const REMEDIES =
  /no handler for route.*No secrets engine is mounted at this path.*`mount`.*pulumi state delete/s;

describe("default mount", () => {
  test.each([
    ["neutral", queueRole, "msgq/app"],
    ["real", queueRole, "rabbitmq/app"],
    ["neutral", cloudStaticRole, "cloud/app"],
    ["real", cloudStaticRole, "aws/app"],
    ["neutral", librarySet, "ldap/app"],
    ["real", librarySet, "ldap/app"],
  ] as const)("is the usual mount of the engine in the %s dialect (%#)", (dialect, definition, id) => {
    const { connection } = new World(service(dialect), definition, { dialect });
    const address = knownAddress(addressOf(definition, connection, { name: "app" }));
    expect(definition.where.id.format(address)).toBe(id);
  });

  test("a role created at the former default is updated, refreshed and deleted there", async () => {
    const { resource, world, readServer } = await scene(queueRole);
    await resource.create(program);
    const upgraded = inWorld(resource, inReal(world));
    expect(upgraded.preview(program)).toMatchObject({ changes: [], notes: [] });
    await upgraded.up({ ...program, tags: "management" });
    expect(await upgraded.refresh()).toBe(true);
    await upgraded.delete();
    expect(upgraded.world.requests.every(({ path }) => path === "/v1/msgq/roles/app")).toBe(true);
    world.stub.configure({ dialect: "neutral" });
    await expect(readServer("msgq/roles/app")).resolves.toEqual({});
  });

  test("a write-only resource created at the former default is written there again", async () => {
    const { resource, world } = await scene(queueConnection);
    const connection = { connectionUri: "http://broker:15672", username: "admin", password: "hush" };
    await resource.create(connection);
    const upgraded = inWorld(resource, inReal(world));
    expect(upgraded.preview(connection).changes).toEqual([]);
    await upgraded.up({ ...connection, password: "other" });
    expect(upgraded.world.requests.map(({ path }) => path)).toEqual(["/v1/msgq/config/connection"]);
    expect(upgraded.record.address).toEqual({ mount: "msgq" });
  });

  test("a replacement is planned at the current default, with a note in the preview", async () => {
    const { resource, world } = await scene(queueRole);
    await resource.create(program);
    const upgraded = inWorld(resource, inReal(world));
    const { changes, notes } = upgraded.preview({ ...program, name: "other" });
    expect(changes).toMatchObject([{ path: ["name"], replaces: true }]);
    expect(notes).toEqual([
      'mount is "msgq", the default when the object was created; the replacement is created at "rabbitmq", the current default: set mount to keep the object in place',
    ]);
    expect(upgraded.preview({ ...program, mount: "msgq" })).toMatchObject({ changes: [], notes: [] });
  });

  test("a role is replaced if the program or connection sets another mount, also the current default", async () => {
    const { resource, world } = await scene(queueRole);
    await resource.create(program);
    const configured = inWorld(resource, inReal(world, { queueMount: "rabbitmq" }));
    expect(configured.preview(program).changes).toMatchObject([{ path: ["mount"], replaces: true }]);
    const upgraded = inWorld(resource, inReal(world));
    expect(upgraded.preview({ ...program, mount: "rabbitmq" }).changes).toMatchObject([
      { path: ["mount"], replaces: true },
    ]);
  });

  test("a role is replaced at the default if mount is removed from the program", async () => {
    const { resource, theirs } = await scene(queueRole);
    await theirs("sys/mounts/teams/mq", { type: "rabbitmq" });
    await resource.create({ ...program, mount: "teams/mq" });
    expect(resource.preview(program).changes).toMatchObject([{ path: ["mount"], replaces: true }]);
  });
});

describe("the error of a create at a path without a mounted engine", () => {
  const errorOf = async (definition: AnyDefinition, program: Values, settings: Values = {}) => {
    const world = new World(service("real"), definition, { token: "root", dialect: "real", ...settings });
    const own = new Resource(world, definition);
    return own.create(program).then(
      () => "created",
      (error: Error) => error.message,
    );
  };

  test.each<[engine: string, definition: AnyDefinition, program: Values, end: string]>([
    ["RabbitMQ", queueRole, { ...program, mount: "mq" }, "-path=mq rabbitmq"],
    ["RabbitMQ", queueLease, { mount: "mq", ttl: "1h" }, "-path=mq rabbitmq"],
    [
      "RabbitMQ",
      queueConnection,
      { mount: "teams/mq", connectionUri: "http://b", username: "u", password: "p" },
      "-path=teams/mq rabbitmq",
    ],
    [
      "LDAP",
      librarySet,
      { name: "ops", serviceAccountNames: ["a"], mount: "teams/ad" },
      "-path=teams/ad ldap",
    ],
    ["RabbitMQ", queueRole, { ...program, mount: "it's $HOME" }, "-path='it'\\''s $HOME' rabbitmq"],
  ])("contains the bao and vault commands that enable %s (%#)", async (_, definition, own, end) => {
    const message = await errorOf(definition, own);
    expect(message).toContain(`bao secrets enable ${end}`);
    expect(message).toContain(`vault secrets enable ${end}`);
    expect(message).not.toContain("pulumi state delete");
  });

  test("contains only the vault command for AWS, because OpenBao has no AWS engine", async () => {
    const message = await errorOf(cloudRole, {
      name: "app",
      mount: "cloud",
      credentialType: "iam_user",
      policyArns: ["arn:aws:iam::aws:policy/x"],
    });
    expect(message).toContain("vault secrets enable -path=cloud aws");
    expect(message).not.toContain("bao secrets enable");
  });

  test("contains the namespace in the command", async () => {
    const message = await errorOf(queueRole, { ...program, mount: "mq" }, { namespace: "team" });
    expect(message).toContain("bao secrets enable -namespace=team -path=mq rabbitmq");
  });
});

describe("engine that is no longer mounted", () => {
  async function unmount() {
    const { resource, deleteAsOther, world } = await scene(queueRole);
    await resource.create(program);
    await deleteAsOther("sys/mounts/msgq");
    return { resource, world };
  }

  test("a refresh fails with the remedies, and preserves the state", async () => {
    const { resource } = await unmount();
    const { outputs } = resource;
    await expect(resource.refresh()).rejects.toThrow(REMEDIES);
    expect(resource.outputs).toBe(outputs);
  });

  test("an update and a delete fail with the remedies", async () => {
    const { resource } = await unmount();
    await expect(resource.up({ ...program, tags: "management" })).rejects.toThrow(REMEDIES);
    await expect(resource.delete()).rejects.toThrow(REMEDIES);
  });

  test("a create of a write-only resource fails with the remedies", async () => {
    const { resource, deleteAsOther } = await scene(queueConnection);
    await deleteAsOther("sys/mounts/msgq");
    const connection = { connectionUri: "http://broker:15672", username: "admin", password: "hush" };
    await expect(resource.create(connection)).rejects.toThrow(REMEDIES);
  });
});
