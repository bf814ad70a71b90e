import { listObjects, questionOf } from "../../provider/core/functions/objects";
import { createClient } from "../../provider/core/http/client";
import { systemRuntime } from "../../provider/core/http/options";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import loginEnforcement from "../../provider/services/secrets/loginEnforcement";
import mfaMethod from "../../provider/services/secrets/mfaMethod";
import queueRole from "../../provider/services/secrets/queueRole";
import type { StubService } from "../../testing/stub/service";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { givenServer, sendRequest } from "./servers/server";

const server = givenServer();

/** A connection to the server with the provider's own HTTP client. */
function worldOf(definition: Definition, settings: Values = {}): World {
  // The world uses only the address and the real time of this stub.
  const reached = {
    settings: { address: server?.address ?? "", dialect: "real", queueMount: "realms" },
    runtime: systemRuntime,
  };
  const stub = { name: definition.service.name, reached } as unknown as StubService;
  const options = { runtime: systemRuntime, createClient };
  return new World(stub, definition, { token: server?.token ?? "", ...settings }, options);
}

/** Sends a request as the administrator, in a namespace. */
function administer(method: string, path: string, body?: object, namespace = ""): Promise<unknown> {
  const headers = { "x-vault-token": server?.token ?? "", "x-vault-namespace": namespace };
  return sendRequest(`${server?.address}/v1/${path}`, { method, headers, ...(body && { body }) });
}

async function idsIn(definition: Definition, namespace?: string): Promise<string[]> {
  const listing = questionOf(definition);
  if (listing === undefined) throw new Error("the definition cannot be listed");
  const caller = { connection: worldOf(definition).connection, log: () => undefined };
  const ids: string[] = [];
  const args = namespace === undefined ? {} : { namespace };
  for await (const { id, apart } of listObjects(listing, args, { size: 10 }, caller))
    if (apart === undefined) ids.push(id);
  return ids;
}

if (server?.program !== "bao") {
  test.skip("namespaces need an OpenBao server", () => undefined);
} else {
  beforeAll(async () => {
    await administer("POST", "sys/mounts/realms", { type: "rabbitmq" });
    await administer("POST", "sys/namespaces/team", {});
    await administer("POST", "sys/namespaces/web", {}, "team");
    for (const namespace of ["team", "team/web"])
      await administer("POST", "sys/mounts/realms", { type: "rabbitmq" }, namespace);
  });
  beforeAll(() => administer("POST", "sys/auth/userpass", { type: "userpass" }, "team"));
  afterAll(() => administer("DELETE", "sys/mounts/realms"));

  test.each<[string, Definition, Values]>([
    ["queue role", queueRole, { name: "app", tags: "monitoring" }],
    ["MFA method", mfaMethod, { methodName: "corporate", orgName: "acme", apiToken: "one" }],
  ])(
    "a %s in a namespace is a different object from one with the same name elsewhere",
    async (_, definition, program) => {
      const resources: Resource[] = [];
      for (const namespace of [undefined, "team", "team/web"]) {
        const resource = new Resource(worldOf(definition), definition);
        const written = namespace === undefined ? program : { ...program, namespace };
        await resource.create(written);
        expect(await resource.refresh()).toBe(true);
        expect(resource.preview(written).changes).toEqual([]);
        resources.push(resource);
      }
      const ids = resources.map(({ id }) => id.split("@")[0]);
      expect(ids.slice(1)).toEqual(["team", "team%2Fweb"]);
      const outer = await idsIn(definition);
      expect(outer).toContain(resources[0]?.id);
      expect(outer.some((id) => id.includes("@"))).toBe(false);
      expect(await idsIn(definition, "team/web")).toEqual([resources[2]?.id]);

      // The namespace of a resource is relative to the connection's namespace.
      const within = new Resource(worldOf(definition, { namespace: "team" }), definition);
      await within.get(`web@${resources[2]?.id.split("@")[1]}`);
      expect(within.record.observed).toEqual(resources[2]?.record.observed);

      for (const resource of resources) {
        await resource.delete();
        expect(await resource.refresh()).toBe(false);
      }
    },
  );

  test("a list of a namespace omits the login enforcements of its parent namespace", async () => {
    const method = new Resource(worldOf(mfaMethod), mfaMethod);
    await method.create({ methodName: "corporate", orgName: "acme", apiToken: "one" });
    const program = { name: "all", mfaMethodIds: [method.id], authMethodTypes: ["userpass"] };
    const [outer, inner] = [undefined, "team"].map(
      () => new Resource(worldOf(loginEnforcement), loginEnforcement),
    );
    await outer?.create(program);
    expect(await idsIn(loginEnforcement, "team")).toEqual([]);
    await inner?.create({ ...program, namespace: "team" });
    expect(inner?.id).toBe("team@all");
    expect(await idsIn(loginEnforcement, "team")).toEqual(["team@all"]);
    await inner?.delete();
    expect(await outer?.refresh()).toBe(true);
    await outer?.delete();
    await method.delete();
  });
}
