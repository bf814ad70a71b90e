import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import configEntry from "../../provider/services/mesh/configEntry";
import inlineCertificate from "../../provider/services/mesh/kinds/inlineCertificate";
import queueRole from "../../provider/services/secrets/queueRole";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { SecretsService } from "../../testing/stub/services/secrets/service";
import { CERTIFICATE, PRIVATE_KEY } from "../../testing/tests/stub/mesh-certificate";
import { Resource } from "./resource";
import { World } from "./world";

const mesh = { "x-mesh-token": "manager", "content-type": "application/json" };
const secrets = { "x-secrets-token": "root", "content-type": "application/json" };

function onMesh(definition: Definition) {
  const world = new World(
    new MeshService({
      switches: { dialect: "neutral" },
      seed: { tokens: { manager: { management: true } } },
    }),
    definition,
    {
      token: "manager",
    },
  );
  return { world, entry: new Resource(world, definition) };
}

/** The lines of the error that an update ends with. */
async function refusal(resource: Resource, program: Values): Promise<string[]> {
  const failure = await resource.update(program).catch((error: unknown) => error);
  if (!(failure instanceof Error)) throw new Error("the update was not refused");
  return failure.message.split("\n");
}

const entry = (spec: Values) => ({ kind: "service-defaults", name: "web", spec });
const HTTP = { Kind: "service-defaults", Name: "web", Protocol: "http" };

describe("a conflict", () => {
  test("is told whole: which resource, both indexes, what moved from where to where, and what to do", async () => {
    const { world, entry: web } = onMesh(configEntry);
    await web.create(entry({ Protocol: "http", MaxInboundConnections: 5 }));
    await world.send("PUT", "/v1/config", { ...HTTP, MaxInboundConnections: 9 }, mesh);
    expect(await refusal(web, entry({ Protocol: "grpc", MaxInboundConnections: 7 }))).toEqual([
      'conflict: mesh:ConfigEntry "/default/service-defaults/web" was changed by somebody else (or by a command that was killed) since it was last read; nothing was written.',
      "  planned from index 2; the service is at index 3",
      "  field                       base  ours  theirs",
      "  spec.MaxInboundConnections  5     7     9",
      "  to look:        pulumi refresh --preview-only",
      "  to take theirs: pulumi refresh, then write their values into the program",
      '  to insist:      pulumi refresh, then pulumi up; or set onConflict: "overwrite" on the resource',
    ]);
  });

  test("names no index where the service has none", async () => {
    const world = new World(
      new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } }),
      queueRole,
      {
        token: "root",
      },
    );
    const role = new Resource(world, queueRole);
    await role.create({ name: "app", tags: "monitoring" });
    await world.send("POST", "/v1/msgq/roles/app", { tags: "policymaker" }, secrets);
    expect(await refusal(role, { name: "app", tags: "management" })).toEqual([
      'conflict: secrets:QueueRole "msgq/app" was changed by somebody else (or by a command that was killed) since it was last read; nothing was written.',
      "  field                base    ours    theirs",
      '  tags["policymaker"]  (none)  (none)  "policymaker"',
      "  to look:        pulumi refresh --preview-only",
      "  to take theirs: pulumi refresh, then write their values into the program",
      '  to insist:      pulumi refresh, then pulumi up; or set onConflict: "overwrite" on the resource',
    ]);
  });

  test("masks what is secret, and shows that it moved", async () => {
    const { world, entry: tls } = onMesh(inlineCertificate);
    const program = { name: "tls", spec: { certificate: CERTIFICATE, privateKey: PRIVATE_KEY } };
    await tls.create(program);
    const theirs = {
      Kind: "inline-certificate",
      Name: "tls",
      Certificate: CERTIFICATE,
      PrivateKey: "canary",
    };
    await world.send("PUT", "/v1/config", theirs, mesh);
    const lines = await refusal(tls, { ...program, spec: { ...program.spec, meta: { team: "a" } } });
    expect(lines).toContain("  spec.privateKey  [secret]  [secret]  [secret]");
    expect(lines.join("\n")).not.toMatch(/canary|PRIVATE KEY/);
  });

  test("before a delete never sends anybody to take the whole stack down", async () => {
    const { world, entry: web } = onMesh(configEntry);
    await web.create(entry({ Protocol: "http" }));
    await world.send("PUT", "/v1/config", { ...HTTP, Protocol: "tcp" }, mesh);
    const told = String(await web.delete().catch((error: unknown) => error));
    expect(told).toMatch(/to keep it: +pulumi refresh, then write it into the program with their values/);
    expect(told).toMatch(/to insist: +pulumi refresh, then the same command again/);
    expect(told).not.toMatch(/pulumi (destroy|up)/);
  });

  test("that the program insists on prints what it replaces, and then replaces it", async () => {
    const { world, entry: web } = onMesh(configEntry);
    await web.create(entry({ Protocol: "http" }));
    await world.send("PUT", "/v1/config", { ...HTTP, Protocol: "tcp" }, mesh);
    await web.update({ ...entry({ Protocol: "grpc" }), onConflict: "overwrite" });
    expect(world.logged).toEqual([
      [
        'warning: overwriting what was changed by somebody else (or by a command that was killed) since it was last read (onConflict: "overwrite"):',
        "  field          base    ours    theirs",
        '  spec.Protocol  "http"  "grpc"  "tcp"',
      ].join("\n"),
    ]);
  });
});

describe("no conflict", () => {
  test("is a change of what the program does not manage: it is carried on with, kept, and said", async () => {
    const world = new World(
      new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } }),
      queueRole,
      {
        token: "root",
      },
    );
    const role = new Resource(world, queueRole);
    await role.create({ name: "app", tags: "monitoring" });
    const vhosts = JSON.stringify({ "/": { read: ".*" } });
    await world.send("POST", "/v1/msgq/roles/app", { tags: "monitoring", vhosts }, secrets);
    await role.update({ name: "app", tags: "management" });
    const { json } = await world.send("GET", "/v1/msgq/roles/app", undefined, secrets);
    expect(json).toMatchObject({ data: { tags: "management", vhosts: { "/": { read: ".*" } } } });
    expect(world.logged).toEqual([
      "info: only what this program does not manage moved, or the same change was there already (vhosts); carried on",
    ]);
  });

  test("is the change that the program makes itself: it is carried on with, and both indexes are said", async () => {
    const { world, entry: web } = onMesh(configEntry);
    await web.create(entry({ Protocol: "http" }));
    await world.send("PUT", "/v1/config", { ...HTTP, Protocol: "tcp" }, mesh);
    await world.send("PUT", "/v1/config", { ...HTTP, Protocol: "http", Meta: { team: "a" } }, mesh);
    await web.update(entry({ Protocol: "http", Meta: { team: "a" }, ExternalSNI: "web" }));
    expect(world.logged).toEqual([
      "info: only what this program does not manage moved, or the same change was there already (spec.Meta, index 2 → 4); carried on",
    ]);
    expect(web.preview(entry({ Protocol: "http", Meta: { team: "a" }, ExternalSNI: "web" })).changes).toEqual(
      [],
    );
  });

  test("is a value that somebody else has made what the program writes by now", async () => {
    const world = new World(
      new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } }),
      queueRole,
      {
        token: "root",
      },
    );
    const role = new Resource(world, queueRole);
    await role.create({ name: "app", tags: "monitoring" });
    await world.send("POST", "/v1/msgq/roles/app", { tags: "management" }, secrets);
    await role.update({ name: "app", tags: "management" });
    expect(role.preview({ name: "app", tags: "management" }).changes).toEqual([]);
  });
});

test("what somebody adds right after our write is not taken for the service's own answer to it", async () => {
  const { world, entry: web } = onMesh(configEntry);
  await web.create(entry({ Protocol: "http" }));
  world.afterwards = async ({ nature }) => {
    if (nature === "read") return;
    world.afterwards = () => undefined;
    await world.send("PUT", "/v1/config", { ...HTTP, Protocol: "grpc", MaxInboundConnections: 9 }, mesh);
  };
  const lines = await refusal(web, entry({ Protocol: "grpc" }));
  expect(lines.join("\n")).toMatch(/spec\.MaxInboundConnections/);
  const { json } = await world.send("GET", "/v1/config/service-defaults/web", undefined, mesh);
  expect(json).toMatchObject({ MaxInboundConnections: 9 });
});
