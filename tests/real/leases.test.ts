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
import { ask, givenServer } from "./servers/server";

const server = givenServer();
const program: Values = { name: "app" };

/** As much of a broker as the engine asks for: users that come and go. */
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
  test.skip("no lease is tried: the server issues none", () => undefined);
} else {
  const { address, token, version } = server;
  const headers = { "x-vault-token": token };
  const administer = (method: string, path: string, body?: unknown) =>
    ask(`${address}/v1/${path}`, { method, headers, body });
  const users = new Set<string>();
  const queue = broker(users);

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
    await new Promise<void>((resolve) => queue.listen(0, "127.0.0.1", resolve));
    const { port } = queue.address() as AddressInfo;
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
    queue.close();
  });

  describe(version, () => {
    test("credentials are quiet, and gone once somebody revokes their lease", async () => {
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

    test("a lease is renewed near its end, is told its max TTL, and is replaced then", async () => {
      await administer("POST", "leases/config/lease", { ttl: 8, max_ttl: 12 });
      const kept = { ...program, renewBefore: "5s" };
      const { world, sent, resource } = worldOf();
      await resource.create(kept);
      const { username } = resource.outputs;
      expect(resource.preview(kept).changes).toEqual([]);
      await delay(5500);
      expect(resource.preview(kept).notes.join()).toContain("and is renewed");
      await resource.up(kept);
      expect(sent.at(-1)).toMatchObject({ path: "/v1/sys/leases/renew" });
      expect(resource.outputs.username).toBe(username);
      process.stderr.write(`${world.logged.join("\n")}\n`);
      expect(world.logged.join()).toContain("TTL value is capped accordingly");
      expect(world.logged.join()).toContain("it can last no longer (its max TTL)");
      expect(resource.preview(kept).changes).toEqual([]);
      expect(await resource.refresh()).toBe(true);
      await delay(3500);
      expect(resource.preview(kept).notes.join()).toContain("cannot be renewed: new ones are issued");
      const { resource: anew } = worldOf();
      await anew.create(kept);
      await resource.delete();
      expect([...users]).toEqual([anew.outputs.username]);
      await anew.delete();
      await administer("POST", "leases/config/lease", { ttl: 3600, max_ttl: 3700 });
    }, 60_000);

    test("a token without the right to look is told, and only the clock tells then", async () => {
      const policy = 'path "leases/creds/app" { capabilities = ["read"] }';
      await administer("POST", "sys/policies/acl/issuer", { policy });
      const made = (await administer("POST", "auth/token/create", {
        policies: ["issuer"],
        no_default_policy: true,
      })) as { auth: { client_token: string } };
      const { world, resource } = worldOf({ token: made.auth.client_token });
      await resource.create(program);
      expect(await resource.refresh()).toBe(true);
      expect(world.logged.join()).toContain("this token may not look leases up");
      await expect(resource.delete()).rejects.toThrow("403");
      const { resource: own } = worldOf();
      Object.assign(own, { id: resource.id, outputs: resource.outputs, inputs: resource.inputs });
      await own.delete();
      expect([...users]).toEqual([]);
    });

    test("a wrapped answer is looked up, unwrapped by a delete, and its lease revoked", async () => {
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
      expect(world.logged.join()).toContain("its wrapping token is no more");
    });

    test("a wrapped answer that somebody unwraps stays, and is said to stay by a delete", async () => {
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

    test("parameters that an endpoint does not know are warned of where an answer has a body, and only there", async () => {
      const read = (await administer("GET", "leases/roles/app?colour=blue&area=a")) as { warnings: unknown };
      expect(read.warnings).toEqual(["Endpoint ignored these unrecognized parameters: [area colour]"]);
      const written = await fetch(`${address}/v1/leases/roles/app`, {
        method: "POST",
        headers,
        body: JSON.stringify({ tags: "monitoring", colour: "blue", name: "app" }),
      });
      expect(written.status).toBe(204);
      const looked = await fetch(`${address}/v1/leases/roles?list=true`, { headers });
      expect(await looked.json()).toMatchObject({ warnings: null });
      const { resource } = worldOf();
      await resource.create(program);
      const found = (await administer("POST", "sys/leases/lookup", {
        lease_id: resource.outputs.leaseId,
        colour: "blue",
      })) as { warnings: unknown };
      expect(found.warnings).toEqual(["Endpoint ignored these unrecognized parameters: [colour]"]);
      await resource.delete();
    });
  });
}
