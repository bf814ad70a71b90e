import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "../../provider/core/http/client";
import { systemRuntime } from "../../provider/core/http/options";
import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import queueCredentials from "../../provider/services/secrets/queueCredentials";
import type { StubService } from "../../testing/stub/service";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { givenServer, sendRequest } from "./servers/server";

const server = givenServer();
const program: Values = { name: "app" };

/** The part of RabbitMQ's management API that the engine uses: it creates and deletes users. */
function broker(users: Set<string>): Server {
  return createServer((request, response) => {
    const [, kind, name = ""] = /^\/api\/(users|permissions)\/(.+)$/.exec(request.url ?? "") ?? [];
    const user = decodeURIComponent(name);
    if (kind === "users" && request.method === "PUT") users.add(user);
    if (kind === "users" && request.method === "DELETE") users.delete(user);
    response.writeHead(204).end();
  });
}

if (server?.program !== "bao") {
  test.skip("leases need an OpenBao server", () => undefined);
} else {
  const { address, token, version } = server;
  const headers = { "x-vault-token": token };
  const administer = (method: string, path: string, body?: unknown) =>
    sendRequest(`${address}/v1/${path}`, { method, headers, body });
  const users = new Set<string>();
  const brokerServer = broker(users);

  function worldOf(settings: Values = {}) {
    const sent: HttpRequest[] = [];
    const reached = { settings: { address, token, dialect: "real" }, runtime: systemRuntime };
    const stub = { name: "secrets", reached } as unknown as StubService;
    const world = new World(
      stub,
      queueCredentials,
      { queueMount: "leases", ...settings },
      {
        runtime: systemRuntime,
        createClient: (options) => {
          const client = createClient(options);
          return {
            close: () => client.close(),
            send: (request) => {
              sent.push(request);
              return client.send(request);
            },
          };
        },
      },
    );
    return { world, sent, resource: new Resource(world, queueCredentials) };
  }

  beforeAll(async () => {
    await new Promise<void>((resolve) => brokerServer.listen(0, "127.0.0.1", resolve));
    const { port } = brokerServer.address() as AddressInfo;
    await administer("POST", "sys/mounts/leases", { type: "rabbitmq" });
    await administer("POST", "leases/config/connection", {
      connection_uri: `http://127.0.0.1:${port}`,
      username: "admin",
      password: "hush",
      verify_connection: false,
    });
    await administer("POST", "leases/roles/app", { tags: "monitoring" });
    await administer("POST", "leases/config/lease", { ttl: 3600, max_ttl: 3700 });
  });

  afterAll(async () => {
    await administer("DELETE", "sys/mounts/leases");
    brokerServer.close();
  });

  describe(`RabbitMQ credentials on ${version}`, () => {
    test("show no changes, and count as deleted after someone else revokes their lease", async () => {
      const { world, resource } = worldOf();
      await resource.create(program);
      const { outputs } = resource;
      expect(await resource.refresh()).toBe(true);
      expect(resource.outputs).toEqual(outputs);
      expect(world.logged).toEqual([]);
      await administer("POST", "sys/leases/revoke", { lease_id: outputs.leaseId, sync: true });
      expect(await resource.refresh()).toBe(false);
      process.stderr.write(`${world.logged.join("\n")}\n`);
      await resource.delete();
      expect([...users]).toEqual([]);
    });

    test("are renewed near the end of their lease, and a preview announces new ones at its max TTL", async () => {
      await administer("POST", "leases/config/lease", { ttl: 8, max_ttl: 12 });
      const renewing = { ...program, renewBefore: "5s" };
      const { world, sent, resource } = worldOf();
      await resource.create(renewing);
      const { username } = resource.outputs;
      expect(resource.preview(renewing).changes).toEqual([]);
      await delay(5500);
      expect(resource.preview(renewing).notes.join()).toContain("renews the lease");
      await resource.up(renewing);
      expect(sent.at(-1)).toMatchObject({ path: "/v1/sys/leases/renew" });
      expect(resource.outputs.username).toBe(username);
      process.stderr.write(`${world.logged.join("\n")}\n`);
      expect(world.logged.join()).toContain("TTL value is capped accordingly");
      expect(world.logged.join()).toContain("because the lease reaches its max TTL");
      expect(resource.preview(renewing).changes).toEqual([]);
      expect(await resource.refresh()).toBe(true);
      await delay(3500);
      expect(resource.preview(renewing).notes.join()).toContain(
        "cannot be renewed: the next pulumi up issues new credentials",
      );
      const { resource: replacement } = worldOf();
      await replacement.create(renewing);
      await resource.delete();
      expect([...users]).toEqual([replacement.outputs.username]);
      await replacement.delete();
      await administer("POST", "leases/config/lease", { ttl: 3600, max_ttl: 3700 });
    }, 60_000);

    test("report a token that may not look up leases, and cannot be deleted with it", async () => {
      const policy = 'path "leases/creds/app" { capabilities = ["read"] }';
      await administer("POST", "sys/policies/acl/issuer", { policy });
      const made = (await administer("POST", "auth/token/create", {
        policies: ["issuer"],
        no_default_policy: true,
      })) as { auth: { client_token: string } };
      const { world, resource } = worldOf({ token: made.auth.client_token });
      await resource.create(program);
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.join()).toContain("the token lacks permission to look leases up");
      await expect(resource.delete()).rejects.toThrow("403");
      const { resource: administered } = worldOf();
      Object.assign(administered, { id: resource.id, outputs: resource.outputs, inputs: resource.inputs });
      await administered.delete();
      expect([...users]).toEqual([]);
    });

    test("with a wrapped response are unwrapped by a delete, which revokes their lease", async () => {
      const { world, resource } = worldOf();
      const wrapping = { ...program, wrapTtl: "5m" };
      await resource.create(wrapping);
      expect(Object.keys(resource.outputs).sort()).toEqual(
        [
          "__quarterdeck",
          "name",
          "wrapTtl",
          "wrappingAccessor",
          "wrappingEnds",
          "wrappingPath",
          "wrappingToken",
          "mount",
        ].sort(),
      );
      expect(await resource.refresh()).toBe(true);
      expect(world.logged).toEqual([]);
      expect(users.size).toBe(1);
      await resource.delete();
      expect(users.size).toBe(0);
      await resource.delete();
      expect(world.logged.join()).toContain("the wrapping token no longer exists");
    });

    test("with a wrapped response that someone else unwrapped are not deleted by a delete", async () => {
      const { world, resource } = worldOf();
      await resource.create({ ...program, wrapTtl: "5m" });
      const unwrapped = (await administer("POST", "sys/wrapping/unwrap", {
        token: resource.outputs.wrappingToken,
      })) as { lease_id: string };
      expect(await resource.refresh()).toBe(true);
      await resource.delete();
      process.stderr.write(`${world.logged.join("\n")}\n`);
      expect(users.size).toBe(1);
      await administer("POST", "sys/leases/revoke", { lease_id: unwrapped.lease_id, sync: true });
      expect(users.size).toBe(0);
    });

    test("OpenBao warns of unknown parameters only in responses with a body", async () => {
      const read = (await administer("GET", "leases/roles/app?color=blue&area=a")) as { warnings: unknown };
      expect(read.warnings).toEqual(["Endpoint ignored these unrecognized parameters: [area color]"]);
      const written = await fetch(`${address}/v1/leases/roles/app`, {
        method: "POST",
        headers,
        body: JSON.stringify({ tags: "monitoring", color: "blue", name: "app" }),
      });
      expect(written.status).toBe(204);
      const looked = await fetch(`${address}/v1/leases/roles?list=true`, { headers });
      expect(await looked.json()).toMatchObject({ warnings: null });
      const { resource } = worldOf();
      await resource.create(program);
      const found = (await administer("POST", "sys/leases/lookup", {
        lease_id: resource.outputs.leaseId,
        color: "blue",
      })) as { warnings: unknown };
      expect(found.warnings).toEqual(["Endpoint ignored these unrecognized parameters: [color]"]);
      await resource.delete();
    });
  });
}
