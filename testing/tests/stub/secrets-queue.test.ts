import { answers } from "./in-process";
import { NOT_FOUND, Scene, scene } from "./secrets-scene";

const CONNECTION = { connection_uri: "http://broker:15672", username: "admin", password: "broker-password" };
const ROLE = "msgq/roles/app";

describe("Leases", () => {
  const headers = { "x-vault-token": "root" };

  async function sceneWithLease() {
    const scene = new Scene({ dialect: "real" });
    const send = (path: string, body: object) => scene.send("POST", path, body, { headers });
    await send("rabbitmq/config/connection", { connection_uri: "http://b", username: "a", password: "p" });
    await send("rabbitmq/config/lease", { ttl: 60 });
    await send("rabbitmq/roles/app", { tags: "x" });
    const { body } = await scene.send("GET", "rabbitmq/creds/app", undefined, { headers });
    return { scene, send, lease_id: body.lease_id as string };
  }

  test("lookup returns a lease until it expires or is revoked; revoking it again returns 204", async () => {
    const { send, lease_id } = await sceneWithLease();
    expect((await send("sys/leases/lookup", { lease_id })).body.data).toMatchObject({
      id: lease_id,
      ttl: 60,
    });
    for (let times = 0; times < 2; times++)
      await answers(send("sys/leases/revoke", { lease_id, sync: true }), 204);
    await answers(send("sys/leases/lookup", { lease_id }), 400, { errors: ["invalid lease"] });
    const later = await sceneWithLease();
    later.scene.pass(60);
    await answers(later.send("sys/leases/lookup", { lease_id: later.lease_id }), 400);
    expect((await send("sys/leases/revoke", {})).body.errors).toEqual(["lease_id must be specified"]);
  });

  test("sys/leases/revoke returns 404 in the neutral dialect", async () => {
    await answers(scene.write("sys/leases/revoke", { lease_id: "x" }), 404);
  });
});

describe("A2. RabbitMQ config/connection", () => {
  test("a write returns 204, and a read 405", async () => {
    await answers(scene.write("msgq/config/connection", CONNECTION), 204);
    await answers(scene.read("msgq/config/connection"), 405);
  });

  test.each(Object.keys(CONNECTION))("a POST without %s returns 400", async (field) => {
    await scene.write("msgq/config/connection", CONNECTION);
    const refused = await scene.write("msgq/config/connection", { ...CONNECTION, [field]: undefined });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0]).toContain(field);
  });

  test.each(["{{ nothing }}", "{{ .RoleName | utf16le }}"])(
    "a POST with the invalid username_template %s returns 400",
    async (username_template) => {
      const body = { ...CONNECTION, username_template };
      await answers(scene.write("msgq/config/connection", body), 400);
    },
  );

  test("a failed connection check returns 500, unless verify_connection is false", async () => {
    const scene = new Scene({ broker: "down" });
    await answers(scene.write("msgq/config/connection", CONNECTION), 500);
    const unverified = { ...CONNECTION, verify_connection: false };
    await answers(scene.write("msgq/config/connection", unverified), 204);
  });
});

describe("A2. RabbitMQ config/lease", () => {
  test.each(["24h", "86400", 86400, "1d", "1440m"])(
    "accepts the ttl %j and returns integer seconds",
    async (ttl) => {
      await answers(scene.write("msgq/config/lease", { ttl, max_ttl: "48h" }), 204);
      expect((await scene.read("msgq/config/lease")).body.data).toEqual({ ttl: 86400, max_ttl: 172800 });
    },
  );

  test("a read returns 404 before the first write, then 0 by default; an invalid duration returns 400", async () => {
    expect(await scene.read("msgq/config/lease")).toMatchObject(NOT_FOUND);
    await scene.write("msgq/config/lease", {});
    expect((await scene.read("msgq/config/lease")).body.data).toEqual({ ttl: 0, max_ttl: 0 });
    await answers(scene.write("msgq/config/lease", { ttl: "soon" }), 400);
    await answers(scene.write("msgq/config/lease", { ttl: -1 }), 400);
  });
});

describe("A2. RabbitMQ roles", () => {
  test("vhosts and vhost_topics are written as JSON strings and returned as objects", async () => {
    const written = await scene.write(ROLE, {
      tags: "administrator,monitoring",
      vhosts: '{"/": {"configure": ".*", "read": "^a"}}',
      vhost_topics: '{"/": {"amq.topic": {"write": ".*"}}}',
    });
    expect(written).toMatchObject({ status: 204, body: undefined });
    expect((await scene.read(ROLE)).body.data).toEqual({
      tags: "administrator,monitoring",
      vhosts: { "/": { configure: ".*", write: "", read: "^a" } },
      vhost_topics: { "/": { "amq.topic": { write: ".*", read: "" } } },
    });
  });

  test("an entry written as {} or null is returned with empty permissions", async () => {
    await scene.write(ROLE, {
      vhosts: '{"a": {}, "b": null, "c": {"read": null}}',
      vhost_topics: '{"a": {}, "b": null, "c": {"events": {}, "amq.topic": null}}',
    });
    const none = { configure: "", write: "", read: "" };
    const noTopic = { write: "", read: "" };
    expect((await scene.read(ROLE)).body.data).toEqual({
      tags: "",
      vhosts: { a: none, b: none, c: none },
      vhost_topics: { a: {}, b: {}, c: { events: noTopic, "amq.topic": noTopic } },
    });
  });

  test("permission names are case-insensitive; vhost_topics written as JSON null are returned as null", async () => {
    await scene.write(ROLE, { vhosts: '{"a": {"Read": ".*", "WRITE": "^a"}}', vhost_topics: "null" });
    expect((await scene.read(ROLE)).body.data).toEqual({
      tags: "",
      vhosts: { a: { configure: "", write: "^a", read: ".*" } },
      vhost_topics: null,
    });
  });

  test("a POST replaces the role and resets omitted fields", async () => {
    await scene.write(ROLE, { tags: "monitoring", vhosts: '{"/": {"read": ".*"}}' });
    await scene.write(ROLE, { tags: "management" });
    expect((await scene.read(ROLE)).body.data).toEqual({
      tags: "management",
      vhosts: null,
      vhost_topics: null,
    });
  });

  test("vhosts written as {} are returned as {}, and vhost_topics written as an empty string as null", async () => {
    await scene.write(ROLE, { vhosts: "{}", vhost_topics: "" });
    expect((await scene.read(ROLE)).body.data).toEqual({ tags: "", vhosts: {}, vhost_topics: null });
  });

  test.each([{}, { tags: "" }, { tags: "", vhosts: "" }, { vhost_topics: "{}" }])(
    "a POST without tags and vhosts returns 400: %j",
    async (body) => {
      const refused = await scene.write(ROLE, body);
      expect(refused).toMatchObject({
        status: 400,
        body: { errors: ["both tags and vhosts not specified"] },
      });
    },
  );

  test.each([
    { vhosts: "{" },
    { vhosts: "[]" },
    { vhosts: '{"/": "all"}' },
    { vhosts: '{"/": {"read": 1}}' },
    { tags: "x", vhost_topics: '{"/": {"write": ".*"}}' },
  ])(
    "a POST with invalid vhosts or vhost_topics returns 400 and does not change the role: %j",
    async (body) => {
      await scene.write(ROLE, { tags: "before" });
      await answers(scene.write(ROLE, body), 400);
      expect((await scene.read(ROLE)).body.data.tags).toBe("before");
    },
  );

  test("a delete returns 204, also for an absent role", async () => {
    await scene.write(ROLE, { tags: "x" });
    await answers(scene.send("DELETE", ROLE), 204);
    expect(await scene.read(ROLE)).toMatchObject(NOT_FOUND);
    await answers(scene.send("DELETE", ROLE), 204);
  });
});

describe("A2. RabbitMQ creds", () => {
  test("each read returns new credentials, with a lease of at most max_ttl", async () => {
    await scene.write("msgq/config/connection", CONNECTION);
    await scene.write("msgq/config/lease", { ttl: "2h", max_ttl: "1h" });
    await scene.write(ROLE, { tags: "x" });
    const [first, second] = [await scene.read("msgq/creds/app"), await scene.read("msgq/creds/app")];
    expect(first.body).toMatchObject({
      lease_id: expect.stringMatching(/^msgq\/creds\/app\//),
      lease_duration: 3600,
      renewable: true,
      data: {
        username: expect.stringMatching(/^token-/),
        password: expect.stringMatching(/^[A-Za-z0-9]{36}$/),
      },
    });
    expect(second.body.data.username).not.toBe(first.body.data.username);
    expect(second.body.data.password).not.toBe(first.body.data.password);
  });

  test("use the connection's username_template and password_policy; an absent policy returns 500", async () => {
    const username_template = "{{ .DisplayName }}.{{ .RoleName }}";
    await scene.write("msgq/config/connection", { ...CONNECTION, username_template, password_policy: "pin" });
    await scene.write(ROLE, { tags: "x" });
    await answers(scene.read("msgq/creds/app"), 500);
    scene.service.seed({ passwordPolicies: { pin: { length: 4, alphabet: "0123456789" } } });
    expect((await scene.read("msgq/creds/app")).body.data).toEqual({
      username: "token.app",
      password: expect.stringMatching(/^\d{4}$/),
    });
  });

  test("return 400 for an unknown role, and 500 without a connection", async () => {
    await answers(scene.read("msgq/creds/none"), 400);
    await scene.write(ROLE, { tags: "x" });
    await answers(scene.read("msgq/creds/app"), 500);
  });
});
