import { SecretsService } from "../../stub/services/secrets/service";
import { answers, type Sent, send } from "./in-process";
import { NOT_THERE, Scene, scene } from "./secrets-scene";

describe("The generic response envelope", () => {
  test("holds the data, and null for what there is not", async () => {
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
  test("an absent read and an empty list are 404 with no message", async () => {
    expect(await scene.read("msgq/roles/none")).toMatchObject(NOT_THERE);
    expect(await scene.send("LIST", "msgq/roles")).toMatchObject(NOT_THERE);
    expect(await scene.read("msgq/roles?list=true")).toMatchObject(NOT_THERE);
  });

  test("an unknown mount is 404 with its route", async () => {
    const refused = await scene.read("nowhere/roles/app");
    expect(refused.status).toBe(404);
    expect(refused.body.errors[0]).toMatch(/^no handler for route "nowhere\/roles\/app"/);
  });

  test("a plain GET of a collection is 405", async () => {
    await scene.write("msgq/roles/app", { tags: "x" });
    const refused = await scene.read("msgq/roles");
    expect(refused.status).toBe(405);
    expect(refused.body.errors[0]).toContain("unsupported operation");
    await answers(scene.send("PATCH", "msgq/roles/app", {}), 405);
  });

  test("a path that an engine does not know is 404", async () => {
    await answers(scene.read("msgq/nothing/here"), 404);
  });

  test.each(["{", "[]", '"text"'])("the body %s is 400", async (body) => {
    const refused = await scene.write("msgq/roles/app", body);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toHaveLength(1);
  });

  test("a field of another type is 400", async () => {
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
  ])("%s roles%s answers the keys", async (method, suffix) => {
    await scene.write("msgq/roles/b", { tags: "x" });
    await scene.write("msgq/roles/a", { tags: "x" });
    expect((await scene.send(method, `msgq/roles${suffix}`)).body.data).toEqual({ keys: ["a", "b"] });
  });
});

describe("Tokens", () => {
  test.each(["unknown", ""])("the token %j is 403", async (as) => {
    const refused = await scene.send("GET", "msgq/roles/app", undefined, { as });
    expect(refused).toMatchObject({ status: 403, body: { errors: ["permission denied"] } });
  });

  test("do what their policies' capabilities allow, and no more", async () => {
    await scene.write("msgq/roles/app", { tags: "x" });
    const as = "reader";
    await answers(scene.send("GET", "msgq/roles/app", undefined, { as }), 200);
    await answers(scene.send("LIST", "msgq/roles", undefined, { as }), 200);
    await answers(scene.send("POST", "msgq/roles/app", { tags: "y" }, { as }), 403);
    await answers(scene.send("DELETE", "msgq/roles/app", undefined, { as }), 403);
    await answers(scene.send("GET", "msgq/config/lease", undefined, { as }), 403);
  });

  test("are refused by deny at the more specific path", async () => {
    await scene.write("msgq/roles/hidden", { tags: "x" });
    await answers(scene.send("GET", "msgq/roles/hidden", undefined, { as: "reader" }), 403);
  });

  test("match + with one segment, and paths of child namespaces below their own", async () => {
    const as = "keeper";
    await answers(scene.send("POST", "msgq/roles/app", { tags: "x" }, { as }), 204);
    await answers(scene.send("POST", "msgq/roles/app", { tags: "x" }, { as, namespace: "team" }), 403);
    await scene.write("msgq/roles/app", { tags: "x" }, { namespace: "team" });
    await answers(scene.send("GET", "msgq/roles/app", undefined, { as, namespace: "team" }), 200);
  });

  test("reach their own namespace and its children only", async () => {
    const as = "team-root";
    const body = { tags: "x" };
    await answers(scene.send("POST", "msgq/roles/app", body, { as }), 403);
    await answers(scene.send("POST", "msgq/roles/app", body, { as, namespace: "team" }), 204);
    await answers(scene.send("POST", "msgq/roles/app", body, { as, namespace: "team/sub" }), 204);
  });
});

describe("Namespaces", () => {
  test("are separate trees, however the header is spelled", async () => {
    await scene.write("msgq/roles/app", { tags: "x" }, { namespace: "team/" });
    expect(await scene.read("msgq/roles/app")).toMatchObject(NOT_THERE);
    await answers(scene.read("msgq/roles/app", { namespace: "/team" }), 200);
    expect(await scene.read("msgq/roles/app", { namespace: "team/sub" })).toMatchObject(NOT_THERE);
  });

  test("that are not there have no routes", async () => {
    const refused = await scene.read("msgq/roles/app", { namespace: "nowhere" });
    expect(refused.status).toBe(404);
    expect(refused.body.errors[0]).toContain("no handler for route");
  });
});

describe("Mounts", () => {
  test("can be at any path, the longest prefix wins, and unmounting forgets", async () => {
    await answers(scene.write("sys/mounts/teams/a/broker", { type: "msgq" }), 204);
    await answers(scene.write("sys/mounts/teams/a", { type: "msgq" }), 204);
    await scene.write("teams/a/broker/roles/app", { tags: "inner" });
    expect((await scene.read("teams/a/broker/roles/app")).body.data.tags).toBe("inner");
    expect((await scene.read("sys/mounts")).body.data["teams/a/broker/"]).toEqual({ type: "msgq" });
    await answers(scene.write("sys/mounts/teams/a", { type: "msgq" }), 400);
    await answers(scene.write("sys/mounts/x", { type: "unheard-of" }), 400);
    await scene.send("DELETE", "sys/mounts/teams/a/broker");
    await answers(scene.read("teams/a/broker/roles/app"), 404);
  });
});

describe("The real dialect", () => {
  test("has headers of its own, and mounts under the usual names", async () => {
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

describe("Starting afresh", () => {
  test("a reset forgets everything but the tokens", async () => {
    scene.service.seed({ tokens: { later: {} } });
    await scene.write("msgq/roles/app", { tags: "x" });
    scene.service.reset();
    expect(await scene.read("msgq/roles/app")).toMatchObject(NOT_THERE);
    await answers(scene.send("POST", "msgq/roles/app", { tags: "x" }, { as: "later" }), 204);
  });

  test("a stale read answers from before the latest write", async () => {
    await scene.write("msgq/roles/app", { tags: "old" });
    await scene.write("msgq/roles/app", { tags: "new" });
    expect((await scene.read("msgq/roles/app")).body.data.tags).toBe("new");
    const stale = await scene.send("GET", "msgq/roles/app", undefined, { stale: true });
    expect(stale.body.data.tags).toBe("old");
  });

  test("a dump shows what is stored, and no token", async () => {
    await scene.write("msgq/roles/app", { tags: "x" });
    const dump = JSON.stringify(scene.service.dump());
    expect(dump).toContain('"app"');
    expect(dump).not.toContain("team-root");
  });
});

const [active, standby] = ["active.invalid", "standby.invalid"];
const ROLE = "/v1/rabbitmq/roles/app";
const token = { "x-vault-token": "root", "content-type": "application/json" };

function clustered(namesStates: boolean) {
  const service = new SecretsService({
    switches: { dialect: "real", activeServer: `http://${active}`, namesStates },
    seed: { tokens: { root: {} } },
  });
  return (method: string, host: string, path: string, { headers = {}, ...sent }: Sent = {}) =>
    send(service, method, path, { ...sent, headers: { host, ...token, ...headers } });
}

describe("Servers of a cluster", () => {
  test("every server says which one is active, whoever asks; only that one says that it is itself", async () => {
    const ask = clustered(false);
    const own = await ask("GET", active, "/v1/sys/leader", { headers: { "x-vault-token": "" } });
    expect(own.body).toMatchObject({ ha_enabled: true, is_self: true, leader_address: `http://${active}` });
    const other = await ask("GET", standby, "/v1/sys/leader");
    expect(other.body).toMatchObject({ ha_enabled: true, leader_address: `http://${active}` });
    expect(other.body).not.toHaveProperty("is_self");
  });

  test("where there is no cluster, that is said; by the specification's names nobody is asked", async () => {
    const alone = new SecretsService({ switches: { dialect: "real" }, seed: { tokens: { root: {} } } });
    expect((await send(alone, "GET", "/v1/sys/leader")).body).toMatchObject({ ha_enabled: false });
    const neutral = new SecretsService({ switches: { dialect: "neutral" }, seed: { tokens: { root: {} } } });
    const headers = { "x-secrets-token": "root" };
    expect((await send(neutral, "GET", "/v1/sys/leader", { headers })).status).toBe(404);
  });

  test("a standby answers by itself a write that changes nothing of what it knows", async () => {
    const ask = clustered(false);
    const path = "/v1/identity/mfa/method/okta";
    const body = { method_name: "corporate", org_name: "acme", api_token: "one" };
    const { method_id } = (await ask("POST", active, path, { body })).body.data;
    const change = { body: { ...body, org_name: "umbrella" } };
    // As a method that is not there.
    expect((await ask("POST", standby, `${path}/${method_id}`, change)).status).toBe(204);
    expect((await ask("DELETE", standby, `${path}/${method_id}`)).status).toBe(204);
    const twice = await ask("POST", standby, "/v1/rabbitmq/config/connection", { body: {} });
    expect(twice.status).toBe(400);
    expect((await ask("GET", active, `${path}/${method_id}`)).body.data.org_name).toBe("acme");
    await ask("POST", active, ROLE, { body: { tags: "monitoring" } });
    expect((await ask("POST", standby, `${path}/${method_id}`, change)).status).toBe(204);
    expect((await ask("GET", active, `${path}/${method_id}`)).body.data.org_name).toBe("umbrella");
  });

  test("a standby writes through the active server, and answers reads one write behind", async () => {
    const ask = clustered(false);
    await ask("POST", standby, ROLE, { body: { tags: "monitoring" } });
    expect((await ask("GET", active, ROLE)).body.data.tags).toBe("monitoring");
    expect((await ask("GET", standby, ROLE)).status).toBe(404);
    expect((await ask("LIST", standby, "/v1/rabbitmq/roles")).status).toBe(404);
    await ask("POST", active, ROLE, { body: { tags: "management" } });
    expect((await ask("GET", standby, ROLE)).body.data.tags).toBe("monitoring");
  });

  test("credentials are made by the active server, wherever they are asked for", async () => {
    const ask = clustered(false);
    await ask("POST", active, "/v1/rabbitmq/config/connection", {
      body: { connection_uri: "http://broker", username: "a", password: "b" },
    });
    await ask("POST", active, ROLE, { body: { tags: "monitoring" } });
    expect((await ask("GET", standby, "/v1/rabbitmq/creds/app")).status).toBe(200);
  });

  test("a server that names its states heeds a request that names one: it asks the active one, or says that it is behind", async () => {
    const ask = clustered(true);
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
