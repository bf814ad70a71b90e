import { SecretsService } from "../../stub/services/secrets/service";
import { answers, type Sent, send } from "./in-process";
import { NOT_FOUND, Scene, scene } from "./secrets-scene";

describe("Response envelope", () => {
  test("a read returns the data, with null for absent parts", async () => {
    await scene.write("msgq/roles/app", { tags: "monitoring" });
    const { status, headers, body } = await scene.read("msgq/roles/app");
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json");
    expect(body).toEqual({
      request_id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      lease_id: "",
      renewable: false,
      lease_duration: 0,
      data: { tags: "monitoring", vhosts: null, vhost_topics: null },
      wrap_info: null,
      warnings: null,
      auth: null,
    });
  });
});

describe("Errors", () => {
  test("a read of an absent object and an empty list return 404 without a message", async () => {
    expect(await scene.read("msgq/roles/none")).toMatchObject(NOT_FOUND);
    expect(await scene.send("LIST", "msgq/roles")).toMatchObject(NOT_FOUND);
    expect(await scene.read("msgq/roles?list=true")).toMatchObject(NOT_FOUND);
  });

  test("an unknown mount returns 404 with the route", async () => {
    const refused = await scene.read("nowhere/roles/app");
    expect(refused.status).toBe(404);
    expect(refused.body.errors[0]).toMatch(/^no handler for route "nowhere\/roles\/app"/);
  });

  test("GET of a collection without list=true and PATCH of a role return 405", async () => {
    await scene.write("msgq/roles/app", { tags: "x" });
    const refused = await scene.read("msgq/roles");
    expect(refused.status).toBe(405);
    expect(refused.body.errors[0]).toContain("unsupported operation");
    await answers(scene.send("PATCH", "msgq/roles/app", {}), 405);
  });

  test("an unknown path of an engine returns 404", async () => {
    await answers(scene.read("msgq/nothing/here"), 404);
  });

  test.each(["{", "[]", '"text"'])("the request body %s returns 400", async (body) => {
    const refused = await scene.write("msgq/roles/app", body);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toHaveLength(1);
  });

  test("a field of the wrong type returns 400 with the name of the field", async () => {
    const refused = await scene.write("msgq/roles/app", { vhosts: { "/": {} } });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0]).toContain('"vhosts"');
  });
});

describe("Listing", () => {
  test.each([
    ["LIST", ""],
    ["LIST", "/"],
    ["GET", "?list=true"],
    ["GET", "/?list=true"],
  ])("%s roles%s returns the keys", async (method, suffix) => {
    await scene.write("msgq/roles/b", { tags: "x" });
    await scene.write("msgq/roles/a", { tags: "x" });
    expect((await scene.send(method, `msgq/roles${suffix}`)).body.data).toEqual({ keys: ["a", "b"] });
  });
});

describe("Tokens", () => {
  test.each(["unknown", ""])("the token %j returns 403", async (as) => {
    const refused = await scene.send("GET", "msgq/roles/app", undefined, { as });
    expect(refused).toMatchObject({ status: 403, body: { errors: ["permission denied"] } });
  });

  test("have only the capabilities of their policies", async () => {
    await scene.write("msgq/roles/app", { tags: "x" });
    const as = "reader";
    await answers(scene.send("GET", "msgq/roles/app", undefined, { as }), 200);
    await answers(scene.send("LIST", "msgq/roles", undefined, { as }), 200);
    await answers(scene.send("POST", "msgq/roles/app", { tags: "y" }, { as }), 403);
    await answers(scene.send("DELETE", "msgq/roles/app", undefined, { as }), 403);
    await answers(scene.send("GET", "msgq/config/lease", undefined, { as }), 403);
  });

  test("are denied by a deny rule for a more specific path", async () => {
    await scene.write("msgq/roles/hidden", { tags: "x" });
    await answers(scene.send("GET", "msgq/roles/hidden", undefined, { as: "reader" }), 403);
  });

  test("can have policies with + for one path segment and with paths of child namespaces", async () => {
    const as = "keeper";
    await answers(scene.send("POST", "msgq/roles/app", { tags: "x" }, { as }), 204);
    await answers(scene.send("POST", "msgq/roles/app", { tags: "x" }, { as, namespace: "team" }), 403);
    await scene.write("msgq/roles/app", { tags: "x" }, { namespace: "team" });
    await answers(scene.send("GET", "msgq/roles/app", undefined, { as, namespace: "team" }), 200);
  });

  test("are valid only in their own namespace and its child namespaces", async () => {
    const as = "team-root";
    const body = { tags: "x" };
    await answers(scene.send("POST", "msgq/roles/app", body, { as }), 403);
    await answers(scene.send("POST", "msgq/roles/app", body, { as, namespace: "team" }), 204);
    await answers(scene.send("POST", "msgq/roles/app", body, { as, namespace: "team/sub" }), 204);
  });
});

describe("Namespaces", () => {
  test("have separate objects; a slash before or after the name in the header is ignored", async () => {
    await scene.write("msgq/roles/app", { tags: "x" }, { namespace: "team/" });
    expect(await scene.read("msgq/roles/app")).toMatchObject(NOT_FOUND);
    await answers(scene.read("msgq/roles/app", { namespace: "/team" }), 200);
    expect(await scene.read("msgq/roles/app", { namespace: "team/sub" })).toMatchObject(NOT_FOUND);
  });

  test("an unknown namespace has no routes and returns 404", async () => {
    const refused = await scene.read("msgq/roles/app", { namespace: "nowhere" });
    expect(refused.status).toBe(404);
    expect(refused.body.errors[0]).toContain("no handler for route");
  });
});

describe("Mounts", () => {
  test("the path selects the engine; a used path or unknown type returns 400, a removed mount 404", async () => {
    await answers(scene.write("sys/mounts/teams/a/broker", { type: "rabbitmq" }), 204);
    await answers(scene.write("sys/mounts/teams/a", { type: "rabbitmq" }), 400);
    await scene.write("teams/a/broker/roles/app", { tags: "inner" });
    expect((await scene.read("teams/a/broker/roles/app")).body.data.tags).toBe("inner");
    expect((await scene.read("sys/mounts")).body.data["teams/a/broker/"]).toMatchObject({ type: "rabbitmq" });
    await answers(scene.write("sys/mounts/x", { type: "unheard-of" }), 400);
    await scene.send("DELETE", "sys/mounts/teams/a/broker");
    await answers(scene.read("teams/a/broker/roles/app"), 404);
  });
});

describe("The real dialect", () => {
  test("uses X-Vault headers and the default mount paths of Vault", async () => {
    const scene = new Scene({ dialect: "real" });
    const headers = { "x-vault-token": "root", "x-vault-namespace": "team" };
    await answers(scene.send("POST", "rabbitmq/roles/app", { tags: "x" }), 403);
    await answers(scene.send("POST", "rabbitmq/roles/app", { tags: "x" }, { headers }), 204);
    expect((await scene.send("GET", "aws/config/root", undefined, { headers })).body.errors).toEqual([]);
    const elsewhere = await scene.send("POST", "msgq/roles/app", { tags: "x" }, { headers });
    expect([elsewhere.status, elsewhere.body.errors[0]]).toEqual([
      404,
      expect.stringContaining("no handler for route"),
    ]);
    await answers(scene.send("POST", "sys/mounts/msgq", { type: "rabbitmq" }, { headers }), 204);
    await answers(scene.send("POST", "msgq/roles/app", { tags: "x" }, { headers }), 204);
  });
});

describe("Reset, stale reads and dump", () => {
  test("a reset deletes the objects and preserves tokens that were added later", async () => {
    scene.service.seed({ tokens: { later: {} } });
    await scene.write("msgq/roles/app", { tags: "x" });
    scene.service.reset();
    expect(await scene.read("msgq/roles/app")).toMatchObject(NOT_FOUND);
    await answers(scene.send("POST", "msgq/roles/app", { tags: "x" }, { as: "later" }), 204);
  });

  test("a stale read returns the value before the latest write", async () => {
    await scene.write("msgq/roles/app", { tags: "old" });
    await scene.write("msgq/roles/app", { tags: "new" });
    expect((await scene.read("msgq/roles/app")).body.data.tags).toBe("new");
    const stale = await scene.send("GET", "msgq/roles/app", undefined, { stale: true });
    expect(stale.body.data.tags).toBe("old");
  });

  test("a dump contains the stored objects and no tokens", async () => {
    await scene.write("msgq/roles/app", { tags: "x" });
    const dump = JSON.stringify(scene.service.dump());
    expect(dump).toContain('"app"');
    expect(dump).not.toContain("team-root");
  });
});

const [active, standby] = ["active.invalid", "standby.invalid"];
const ROLE = "/v1/rabbitmq/roles/app";
const token = { "x-vault-token": "root", "content-type": "application/json" };

function clusterClient(namesStates: boolean) {
  const service = new SecretsService({
    switches: { dialect: "real", activeServer: `http://${active}`, namesStates },
    seed: { tokens: { root: {} } },
  });
  return (method: string, host: string, path: string, { headers = {}, ...sent }: Sent = {}) =>
    send(service, method, path, { ...sent, headers: { host, ...token, ...headers } });
}

describe("Cluster with a standby server", () => {
  test("sys/leader returns the active server on every server, and is_self only on the active server", async () => {
    const ask = clusterClient(false);
    const own = await ask("GET", active, "/v1/sys/leader", { headers: { "x-vault-token": "" } });
    expect(own.body).toMatchObject({ ha_enabled: true, is_self: true, leader_address: `http://${active}` });
    const other = await ask("GET", standby, "/v1/sys/leader");
    expect(other.body).toMatchObject({ ha_enabled: true, leader_address: `http://${active}` });
    expect(other.body).not.toHaveProperty("is_self");
  });

  test("sys/leader returns ha_enabled false without a cluster, and 404 in the neutral dialect", async () => {
    const alone = new SecretsService({ switches: { dialect: "real" }, seed: { tokens: { root: {} } } });
    expect((await send(alone, "GET", "/v1/sys/leader")).body).toMatchObject({ ha_enabled: false });
    const neutral = new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } });
    const headers = { "x-secrets-token": "root" };
    expect((await send(neutral, "GET", "/v1/sys/leader", { headers })).status).toBe(404);
  });

  test("a standby does not forward a write to a method that it does not know yet, or an invalid write", async () => {
    const ask = clusterClient(false);
    const path = "/v1/identity/mfa/method/okta";
    const body = { method_name: "corporate", org_name: "acme", api_token: "one" };
    const { method_id } = (await ask("POST", active, path, { body })).body.data;
    const change = { body: { ...body, org_name: "umbrella" } };
    // The standby lags by one write: it handles the method as absent.
    expect((await ask("POST", standby, `${path}/${method_id}`, change)).status).toBe(204);
    expect((await ask("DELETE", standby, `${path}/${method_id}`)).status).toBe(204);
    const invalid = await ask("POST", standby, "/v1/rabbitmq/config/connection", { body: {} });
    expect(invalid.status).toBe(400);
    expect((await ask("GET", active, `${path}/${method_id}`)).body.data.org_name).toBe("acme");
    await ask("POST", active, ROLE, { body: { tags: "monitoring" } });
    expect((await ask("POST", standby, `${path}/${method_id}`, change)).status).toBe(204);
    expect((await ask("GET", active, `${path}/${method_id}`)).body.data.org_name).toBe("umbrella");
  });

  test("a standby forwards writes to the active server, and its reads lag by one write", async () => {
    const ask = clusterClient(false);
    await ask("POST", standby, ROLE, { body: { tags: "monitoring" } });
    expect((await ask("GET", active, ROLE)).body.data.tags).toBe("monitoring");
    expect((await ask("GET", standby, ROLE)).status).toBe(404);
    expect((await ask("LIST", standby, "/v1/rabbitmq/roles")).status).toBe(404);
    await ask("POST", active, ROLE, { body: { tags: "management" } });
    expect((await ask("GET", standby, ROLE)).body.data.tags).toBe("monitoring");
  });

  test("a standby forwards a read of credentials to the active server", async () => {
    const ask = clusterClient(false);
    await ask("POST", active, "/v1/rabbitmq/config/connection", {
      body: { connection_uri: "http://broker", username: "a", password: "b" },
    });
    await ask("POST", active, ROLE, { body: { tags: "monitoring" } });
    expect((await ask("GET", standby, "/v1/rabbitmq/creds/app")).status).toBe(200);
  });

  test("with namesStates, a standby behind the requested index returns 412 or forwards the read", async () => {
    const ask = clusterClient(true);
    const { headers } = await ask("POST", standby, ROLE, { body: { tags: "monitoring" } });
    const state = headers["x-vault-index"] ?? "";
    expect(state).not.toBe("");
    expect((await ask("GET", standby, ROLE)).status).toBe(404);
    const behind = await ask("GET", standby, ROLE, { headers: { "x-vault-index": state } });
    expect(behind.status).toBe(412);
    expect(behind.body).toEqual({ errors: ["required index state not present"] });
    const forwarded = await ask("GET", standby, ROLE, {
      headers: { "x-vault-index": state, "x-vault-inconsistent": "forward-active-node" },
    });
    expect(forwarded.body.data.tags).toBe("monitoring");
    await ask("POST", active, ROLE, { body: { tags: "management" } });
    const caughtUp = await ask("GET", standby, ROLE, { headers: { "x-vault-index": state } });
    expect(caughtUp.body.data.tags).toBe("monitoring");
  });
});
