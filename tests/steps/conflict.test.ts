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

/** The lines of the error with which an update fails. */
async function errorLines(resource: Resource, program: Values): Promise<string[]> {
  const failure = await resource.update(program).catch((error: unknown) => error);
  if (!(failure instanceof Error)) throw new Error("the update was not refused");
  return failure.message.split("\n");
}

const entry = (spec: Values) => ({ kind: "service-defaults", name: "web", spec });
const HTTP = { Kind: "service-defaults", Name: "web", Protocol: "http" };

describe("a conflict message", () => {
  test("names the resource, both indexes, the changed fields with their values, and the next steps", async () => {
    const { world, entry: web } = onMesh(configEntry);
    await web.create(entry({ Protocol: "http", MaxInboundConnections: 5 }));
    await world.send("PUT", "/v1/config", { ...HTTP, MaxInboundConnections: 9 }, mesh);
    expect(await errorLines(web, entry({ Protocol: "grpc", MaxInboundConnections: 7 }))).toEqual([
      'conflict: Consul configuration entry "/default/service-defaults/web" was changed outside this stack (or by a killed command); nothing was written.',
      "  last read at modify index 2; the server is now at index 3",
      "  field                       base  ours  theirs",
      "  spec.MaxInboundConnections  5     7     9",
      "  to inspect:       pulumi refresh --preview-only",
      "  to accept theirs: pulumi refresh, then update the program to the server's values",
      '  to keep yours:    pulumi refresh, then pulumi up; or set onConflict: "overwrite" on the resource',
    ]);
  });

  test("names no index if the service has none", async () => {
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
    expect(await errorLines(role, { name: "app", tags: "management" })).toEqual([
      'conflict: RabbitMQ role "msgq/app" was changed outside this stack (or by a killed command); nothing was written.',
      "  field                base    ours    theirs",
      '  tags["policymaker"]  (none)  (none)  "policymaker"',
      "  to inspect:       pulumi refresh --preview-only",
      "  to accept theirs: pulumi refresh, then update the program to the server's values",
      '  to keep yours:    pulumi refresh, then pulumi up; or set onConflict: "overwrite" on the resource',
    ]);
  });

  test("masks the values of a secret that changed", async () => {
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
    const lines = await errorLines(tls, { ...program, spec: { ...program.spec, meta: { team: "a" } } });
    expect(lines).toContain("  spec.privateKey  [secret]  [secret]  [secret]");
    expect(lines.join("\n")).not.toMatch(/canary|PRIVATE KEY/);
  });

  test("of a delete suggests neither pulumi destroy nor pulumi up", async () => {
    const { world, entry: web } = onMesh(configEntry);
    await web.create(entry({ Protocol: "http" }));
    await world.send("PUT", "/v1/config", { ...HTTP, Protocol: "tcp" }, mesh);
    const message = String(await web.delete().catch((error: unknown) => error));
    expect(message).toMatch(
      /to keep it: +keep the resource in the program, or run pulumi state delete with its URN/,
    );
    expect(message).toMatch(/to delete it: +pulumi refresh, then run the same command again/);
    expect(message).not.toMatch(/pulumi (destroy|up)/);
  });

  test("is printed as a warning with the replaced values if the program sets onConflict: overwrite", async () => {
    const { world, entry: web } = onMesh(configEntry);
    await web.create(entry({ Protocol: "http" }));
    await world.send("PUT", "/v1/config", { ...HTTP, Protocol: "tcp" }, mesh);
    await web.update({ ...entry({ Protocol: "grpc" }), onConflict: "overwrite" });
    expect(world.logged).toEqual([
      [
        'warning: overwriting an object that was changed outside this stack (or by a killed command) (onConflict: "overwrite"):',
        "  field          base    ours    theirs",
        '  spec.Protocol  "http"  "grpc"  "tcp"',
      ].join("\n"),
    ]);
  });
});

describe("an update without a conflict", () => {
  test("keeps and logs a change that someone else made to an unmanaged property", async () => {
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
      "info: only unmanaged properties changed, or the change was already applied (vhosts); continuing",
    ]);
  });

  test("logs both indexes if someone else already made the program's own change", async () => {
    const { world, entry: web } = onMesh(configEntry);
    await web.create(entry({ Protocol: "http" }));
    await world.send("PUT", "/v1/config", { ...HTTP, Protocol: "tcp" }, mesh);
    await world.send("PUT", "/v1/config", { ...HTTP, Protocol: "http", Meta: { team: "a" } }, mesh);
    await web.update(entry({ Protocol: "http", Meta: { team: "a" }, ExternalSNI: "web" }));
    expect(world.logged).toEqual([
      "info: only unmanaged properties changed, or the change was already applied (spec.Meta, index 2 → 4); continuing",
    ]);
    expect(web.preview(entry({ Protocol: "http", Meta: { team: "a" }, ExternalSNI: "web" })).changes).toEqual(
      [],
    );
  });

  test("shows no changes afterward if someone else already set the program's new value", async () => {
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

test("a field that someone else sets right after our write is a conflict and is not overwritten", async () => {
  const { world, entry: web } = onMesh(configEntry);
  await web.create(entry({ Protocol: "http" }));
  world.onResponse = async ({ nature }) => {
    if (nature === "read") return;
    world.onResponse = () => undefined;
    await world.send("PUT", "/v1/config", { ...HTTP, Protocol: "grpc", MaxInboundConnections: 9 }, mesh);
  };
  const lines = await errorLines(web, entry({ Protocol: "grpc" }));
  expect(lines.join("\n")).toMatch(/spec\.MaxInboundConnections/);
  const { json } = await world.send("GET", "/v1/config/service-defaults/web", undefined, mesh);
  expect(json).toMatchObject({ MaxInboundConnections: 9 });
});
