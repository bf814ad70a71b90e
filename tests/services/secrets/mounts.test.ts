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

/** The same service, by the real product's names: what is mounted stays where it is. */
function inReal(world: World, settings: Values = {}): World {
  world.stub.configure({ dialect: "real" });
  return world.with({ dialect: "real", ...settings });
}

const program = { name: "app", tags: "monitoring" };
const WAY_OUT = /no handler for route.*No engine is mounted there.*`mount`.*pulumi state delete/s;

describe("where nobody says the mount", () => {
  test.each([
    ["neutral", queueRole, "msgq/app"],
    ["real", queueRole, "rabbitmq/app"],
    ["neutral", cloudStaticRole, "cloud/app"],
    ["real", cloudStaticRole, "aws/app"],
    ["neutral", librarySet, "ldap/app"],
    ["real", librarySet, "ldap/app"],
  ] as const)("what is created in the %s dialect is at its usual one (%#)", (dialect, definition, id) => {
    const { connection } = new World(service(dialect), definition, { dialect });
    const address = knownAddress(addressOf(definition, connection, { name: "app" }));
    expect(definition.where.id.format(address)).toBe(id);
  });

  test("a role that was made under the former default stays there: it is updated, read and deleted where it is", async () => {
    const { resource, world, held } = await scene(queueRole);
    await resource.create(program);
    const upgraded = inWorld(resource, inReal(world));
    expect(upgraded.preview(program)).toMatchObject({ changes: [], notes: [] });
    await upgraded.up({ ...program, tags: "management" });
    expect(await upgraded.refresh()).toBe(true);
    await upgraded.delete();
    expect(upgraded.world.requests.every(({ path }) => path === "/v1/msgq/roles/app")).toBe(true);
    world.stub.configure({ dialect: "neutral" });
    await expect(held("msgq/roles/app")).resolves.toEqual({});
  });

  test("what is only written stays there too: another write goes where the first one went", async () => {
    const { resource, world } = await scene(queueConnection);
    const connection = { connectionUri: "http://broker:15672", username: "admin", password: "hush" };
    await resource.create(connection);
    const upgraded = inWorld(resource, inReal(world));
    expect(upgraded.preview(connection).changes).toEqual([]);
    await upgraded.up({ ...connection, password: "other" });
    expect(upgraded.world.requests.map(({ path }) => path)).toEqual(["/v1/msgq/config/connection"]);
    expect(upgraded.record.address).toEqual({ mount: "msgq" });
  });

  test("a replacement is made at the default now, and its preview says so", async () => {
    const { resource, world } = await scene(queueRole);
    await resource.create(program);
    const upgraded = inWorld(resource, inReal(world));
    const { changes, notes } = upgraded.preview({ ...program, name: "other" });
    expect(changes).toMatchObject([{ path: ["name"], replaces: true }]);
    expect(notes).toEqual([
      'mount is "msgq", the default when it was made; its replacement is made at "rabbitmq", the default now: write mount to keep it where it is',
    ]);
    expect(upgraded.preview({ ...program, mount: "msgq" })).toMatchObject({ changes: [], notes: [] });
  });

  test("what the program or the connection says moves what is elsewhere, the default's own name included", async () => {
    const { resource, world } = await scene(queueRole);
    await resource.create(program);
    const settled = inWorld(resource, inReal(world, { queueMount: "rabbitmq" }));
    expect(settled.preview(program).changes).toMatchObject([{ path: ["mount"], replaces: true }]);
    const upgraded = inWorld(resource, inReal(world));
    expect(upgraded.preview({ ...program, mount: "rabbitmq" }).changes).toMatchObject([
      { path: ["mount"], replaces: true },
    ]);
  });

  test("what was made at a mount of its own moves to the default when nobody says it any more", async () => {
    const { resource, theirs } = await scene(queueRole);
    await theirs("sys/mounts/teams/mq", { type: "msgq" });
    await resource.create({ ...program, mount: "teams/mq" });
    expect(resource.preview(program).changes).toMatchObject([{ path: ["mount"], replaces: true }]);
  });
});

describe("a create at a path where no engine is mounted prints the command that enables one:", () => {
  const rejected = async (definition: AnyDefinition, program: Values, settings: Values = {}) => {
    const world = new World(service("real"), definition, { token: "root", dialect: "real", ...settings });
    const own = new Resource(world, definition);
    return own.create(program).then(
      () => "created",
      (error: Error) => error.message,
    );
  };

  test.each<[string, AnyDefinition, Values, string]>([
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
  ])("%s (%#)", async (_, definition, own, end) => {
    const message = await rejected(definition, own);
    expect(message).toContain(`bao secrets enable ${end}`);
    expect(message).toContain(`vault secrets enable ${end}`);
    expect(message).not.toContain("pulumi state delete");
  });

  test("OpenBao has no AWS engine of its own", async () => {
    const message = await rejected(cloudRole, {
      name: "app",
      mount: "cloud",
      credentialType: "iam_user",
      policyArns: ["arn:aws:iam::aws:policy/x"],
    });
    expect(message).toContain("vault secrets enable -path=cloud aws");
    expect(message).not.toContain("bao secrets enable");
  });

  test("with the namespace", async () => {
    const message = await rejected(queueRole, { ...program, mount: "mq" }, { namespace: "team" });
    expect(message).toContain("bao secrets enable -namespace=team -path=mq rabbitmq");
  });
});

describe("an engine that is no longer mounted", () => {
  async function unmounted() {
    const { resource, take, world } = await scene(queueRole);
    await resource.create(program);
    await take("sys/mounts/msgq");
    return { resource, world };
  }

  test("is no proof that an object is gone: a refresh fails, keeps the state, and names the ways out", async () => {
    const { resource } = await unmounted();
    const { outputs } = resource;
    await expect(resource.refresh()).rejects.toThrow(WAY_OUT);
    expect(resource.outputs).toBe(outputs);
  });

  test("is told by an update and by a delete, with the ways out", async () => {
    const { resource } = await unmounted();
    await expect(resource.up({ ...program, tags: "management" })).rejects.toThrow(WAY_OUT);
    await expect(resource.delete()).rejects.toThrow(WAY_OUT);
  });

  test("is told by what is only written, too", async () => {
    const { resource, take } = await scene(queueConnection);
    await take("sys/mounts/msgq");
    const connection = { connectionUri: "http://broker:15672", username: "admin", password: "hush" };
    await expect(resource.create(connection)).rejects.toThrow(WAY_OUT);
  });
});
