import type { Values } from "../../../provider/core/language/object";
import { redactorOf } from "../../../provider/core/state/redaction";
import { SecretMap } from "../../../provider/core/state/secretMap";
import { withMetadata } from "../../../provider/core/value/programInputs";
import cloudLease from "../../../provider/services/secrets/cloudLease";
import queueConnection from "../../../provider/services/secrets/queueConnection";
import queueLease from "../../../provider/services/secrets/queueLease";
import queueRole from "../../../provider/services/secrets/queueRole";
import { changedPaths, expectCreate, expectNoChanges, expectUpdate, notesOfCreate } from "../expectations";
import { scene } from "./scene";

const ROLE = "msgq/roles/app";

describe("RabbitMQ role", () => {
  const program = { name: "app", tags: "monitoring", vhosts: '{"/": {"read": ".*"}}' };

  test("is created by a read, a write and a read, and shows no changes", async () => {
    const { world, resource } = await scene(queueRole);
    await resource.create(program);
    expect(resource.id).toBe("msgq/app");
    expect(world.requests.map(({ method }) => method)).toEqual(["GET", "POST", "GET"]);
    await expectNoChanges(resource, program);
    expect(resource.inputs).toEqual(program);
  });

  test("shows drift, and the next up reverts it", async () => {
    const { resource, theirs, readServer } = await scene(queueRole);
    await resource.create(program);
    await theirs(ROLE, { tags: "policymaker", vhosts: '{"/":{"read":".*"}}' });
    await resource.refresh();
    const drift = { path: ["tags"], cause: "drift", kind: "update" };
    expect(resource.preview(program).changes).toMatchObject([drift]);
    await expectUpdate(resource, program);
    expect(await readServer(ROLE)).toMatchObject({ tags: "monitoring" });
  });

  test("reports a conflict if another user edits it between preview and up", async () => {
    const { resource, theirs, readServer } = await scene(queueRole);
    await resource.create(program);
    await theirs(ROLE, { tags: "policymaker", vhosts: "{}" });
    await expect(resource.update({ ...program, tags: "management" })).rejects.toThrow(/conflict/);
    expect(await readServer(ROLE)).toMatchObject({ tags: "policymaker" });
  });

  test("is deleted, and a second delete succeeds", async () => {
    const { resource, readServer } = await scene(queueRole);
    await resource.create(program);
    await resource.delete();
    expect(await readServer(ROLE)).toEqual({});
    await resource.delete();
  });

  describe.each([
    ["vhosts", '{"a": null, "b": {"Read": ".*"}}', { a: {}, b: { read: ".*" } }],
    [
      "vhostTopics",
      '{"a": null, "b": {"x": null, "y": {"Read": ".*"}}}',
      { a: {}, b: { x: {}, y: { read: ".*" } } },
    ],
  ])("with %s as the JSON text %s", (property, text, map) => {
    const asText = { name: "app", tags: "monitoring", [property]: text };

    test("equals the map with lower-case names and empty entries", async () => {
      const { resource } = await scene(queueRole);
      expect(resource.check(asText)).toEqual([]);
      await resource.create(asText);
      expect(resource.preview({ ...asText, [property]: map }).changes).toEqual([]);
      await expectNoChanges(resource, asText);
      expect(resource.inputs).toEqual(asText);
    });

    test("differs from a map that lacks an empty entry or a permission", async () => {
      const { resource } = await scene(queueRole);
      await resource.create(asText);
      const { a: _, ...withoutEmpty } = map;
      expect(resource.preview({ ...asText, [property]: withoutEmpty }).changes).toMatchObject([
        { path: [property, "a"], kind: "update" },
      ]);
      expect(resource.preview({ ...asText, [property]: { a: {} } }).changes).not.toEqual([]);
    });
  });

  test.each<[what: string, program: Values, path: string, reason: string]>([
    [
      "a misspelled permission of a virtual host",
      { vhosts: { "/": { raed: ".*" } } },
      'vhosts["/"].raed',
      "unknown property; did you mean read?",
    ],
    [
      "an unknown permission of an exchange",
      { vhostTopics: { "/": { orders: { configure: ".*" } } } },
      'vhostTopics["/"].orders.configure',
      "unknown property; known: write, read",
    ],
    [
      "a boolean permission in JSON text",
      { vhosts: '{"/": {"read": true}}' },
      "vhosts",
      '["/"].read must be a string',
    ],
    [
      "JSON text with an exchange that is not a map",
      { vhostTopics: '{"/": {"orders": ".*"}}' },
      "vhostTopics",
      '["/"].orders must be a map',
    ],
    ["JSON text of a list", { vhosts: "[]" }, "vhosts", "must be a map, or a JSON string of a map"],
    ["text that is not JSON", { vhosts: "{" }, "vhosts", "must be a map, or a JSON string of a map"],
    [
      "a boolean permission in a map",
      { vhosts: { "/": { read: true } } },
      'vhosts["/"].read',
      "must be text",
    ],
    [
      "JSON text with a virtual host that is not a map",
      { vhosts: '{"/": ".*"}' },
      "vhosts",
      '["/"] must be a map',
    ],
  ])("rejects %s", async (_, own, path, reason) => {
    const { resource } = await scene(queueRole);
    const problems = resource.check({ name: "app", tags: "monitoring", ...own });
    expect(problems).toEqual([{ path, reason: expect.stringContaining(reason) }]);
  });

  const ignored = "is not a permission, and the server ignores it; permissions:";

  test.each<[Values, string]>([
    [
      { vhosts: '{"/": {"raed": ".*", "read": null}, "b": null}' },
      `vhosts: ["/"].raed ${ignored} configure, write, read`,
    ],
    [
      { vhostTopics: '{"/": {"orders": {"configure": ".*"}}}' },
      `vhostTopics: ["/"].orders.configure ${ignored} write, read`,
    ],
    [
      withMetadata({ vhosts: '{"/": {"raed": ".*", "other": 1}}' }, { secretPaths: ["vhosts"] }),
      `vhosts: an entry ${ignored} configure, write, read`,
    ],
  ])("accepts an unknown permission in JSON text with a note: %j", async (own, note) => {
    const inputs = { ...own, name: "app", tags: "monitoring" };
    expect((await scene(queueRole)).resource.check(inputs)).toEqual([]);
    expect(notesOfCreate(queueRole, inputs)).toEqual([note]);
  });

  test("the server drops an unknown permission silently", async () => {
    const { theirs, readServer } = await scene(queueRole);
    await theirs(ROLE, { vhosts: '{"/": {"raed": ".*"}}' });
    expect(JSON.stringify(await readServer(ROLE))).not.toContain("raed");
  });

  test.each<[Values, number]>([
    [{ vhosts: {} }, 0],
    [{ vhosts: "{}" }, 0],
    [{ tags: "monitoring" }, 0],
    [{}, 1],
    [{ tags: "", vhosts: "" }, 1],
    [{ tags: [] }, 1],
  ])("requires tags or vhosts: %j has %d problems", async (own, count) => {
    const { resource } = await scene(queueRole);
    const inputs = { name: "app", ...own };
    expect(resource.check(inputs)).toHaveLength(count);
    if (count > 0) return;
    await resource.create(inputs);
    expect(resource.preview(inputs).changes).toEqual([]);
  });
});

describe("RabbitMQ connection", () => {
  const program = { connectionUri: "http://broker:15672", username: "admin", password: "hush" };
  const sent = { connection_uri: "http://broker:15672", username: "admin", password: "hush" };

  test.each(Object.keys(program))("requires %s", async (name) => {
    const { [name]: _, ...rest } = program as Values;
    const { resource } = await scene(queueConnection);
    expect(resource.check(rest).map(({ path }) => path)).toEqual([name]);
  });

  test("sends its three required values in every write", async () => {
    const { written, resource } = await scene(queueConnection);
    await resource.create({ ...program, verifyConnection: false });
    await resource.up({ ...program, passwordPolicy: "long" });
    expect(written()).toEqual([
      { ...sent, verify_connection: false },
      { ...sent, password_policy: "long" },
    ]);
  });

  test("is not stored if the server cannot verify it", async () => {
    const { world, resource } = await scene(queueConnection);
    world.stub.configure({ broker: "down" });
    await expect(resource.create(program)).rejects.toThrow("failed to validate the connection");
    expect(resource.id).toBe("");
    await resource.create({ ...program, verifyConnection: false });
    expect(resource.id).toBe("msgq");
  });

  test("marks connectionUri and password as secret", () => {
    for (const name of ["connectionUri", "password"] as const)
      expect(new SecretMap(queueConnection, program).holdsSecret([name], program[name])).toBe(true);
    expect(new SecretMap(queueConnection, program).collect()).toContain(program.password);
  });

  test.each([
    ["http://127.0.0.1:4", "no answer at http://127.0.0.1:40113", "no answer at http://127.0.0.1:40113"],
    [
      "https://admin:pass%2Fword-4711@broker:15671/?token=abcdef-4711",
      "pass/word-4711 and abcdef-4711",
      "[secret] and [secret]",
    ],
  ])("the connectionUri %s redacts %j to %j", (connectionUri, text, masked) => {
    const redactor = redactorOf(queueConnection, { connectionUri, username: "u", password: "hush-hush" });
    expect(redactor.mask(text)).toBe(masked);
  });
});

const DAYS = ["24h", "1440m", 86_400, "86400", "23h60m"];

describe("RabbitMQ lease configuration (A2)", () => {
  const LEASE = "msgq/config/lease";

  test.each(DAYS)("accepts %j as one day, and sends integer seconds", async (day) => {
    const { resource, written, readServer } = await scene(queueLease);
    await resource.create({ ttl: 3600, maxTtl: day });
    expect(written()).toEqual([{ ttl: 3600, max_ttl: 86_400 }]);
    for (const other of DAYS) expect(changedPaths(resource, { ttl: "1h", maxTtl: other })).toEqual([]);
    expect(await readServer(LEASE)).toEqual({ ttl: 3600, max_ttl: 86_400 });
  });

  test.each(["soon", "1.5", "-1h", "h"])("rejects %j, which is not a duration", async (ttl) => {
    const { problems } = await scene(queueLease);
    expect(problems({ ttl })).toEqual([expect.stringMatching(/^ttl: given .*: must be/)]);
  });

  test("accepts a ttl longer than maxTtl, as the server does", async () => {
    const { resource, readServer } = await scene(queueLease);
    await expectCreate(resource, { ttl: "2h", maxTtl: 3600 });
    expect(await readServer(LEASE)).toEqual({ ttl: 7200, max_ttl: 3600 });
  });

  test("shows no changes for a fraction of a second, which the server truncates", async () => {
    const { resource, written, readServer } = await scene(queueLease);
    await resource.create({ ttl: "1500ms", maxTtl: "" });
    expect(written()).toEqual([{ ttl: "1.5s", max_ttl: 0 }]);
    expect(await readServer(LEASE)).toEqual({ ttl: 1, max_ttl: 0 });
    expect(resource.preview({ ttl: "1500ms" }).changes).toEqual([]);
    await resource.refresh();
    expect(resource.preview({ ttl: "1.5s" }).changes).toEqual([]);
  });

  test("adopts an empty lease configuration, and rejects any other without adopt", async () => {
    const { resource } = await scene(queueLease, { [LEASE]: {} });
    await resource.create({ ttl: "1h" });
    const { resource: other } = await scene(queueLease, { [LEASE]: { ttl: 60, max_ttl: 60 } });
    await expect(other.create({ ttl: "1h" })).rejects.toThrow(/already exists.*adopt: true/s);
  });

  test("stays on the server after a delete, with a warning", async () => {
    const { resource, world, readServer } = await scene(queueLease);
    await resource.create({ ttl: "1h" });
    await resource.delete();
    expect(await readServer(LEASE)).toMatchObject({ ttl: 3600 });
    expect(world.logged).toEqual([
      "warning: the resource is removed only from the state: the server cannot delete the lease settings; to reset them, set both values to 0 first",
    ]);
  });
});

describe("AWS lease configuration (A5, config/lease)", () => {
  test.each(DAYS)("accepts %j as one day, and sends a string whose largest unit is h", async (day) => {
    const { resource, written, readServer } = await scene(cloudLease);
    await resource.create({ lease: "30m", leaseMax: day });
    expect(written()).toEqual([{ lease: "0h30m0s", lease_max: "24h0m0s" }]);
    for (const other of DAYS) expect(changedPaths(resource, { lease: 1800, leaseMax: other })).toEqual([]);
    expect(await readServer("cloud/config/lease")).toEqual({ lease: "30m0s", lease_max: "24h0m0s" });
  });

  test("sends a number of days as hours, because the server does not accept days", async () => {
    const { resource, written } = await scene(cloudLease);
    await resource.create({ lease: "1d", leaseMax: "2d12h" });
    expect(written()).toEqual([{ lease: "24h0m0s", lease_max: "60h0m0s" }]);
  });

  test("requires both values, and sends both if one changed", async () => {
    const { resource, written, problems } = await scene(cloudLease);
    expect(problems({}).map((line) => line.split(":")[0])).toEqual(["lease", "leaseMax"]);
    await resource.create({ lease: "30m", leaseMax: "24h" });
    await resource.up({ lease: "30m", leaseMax: "12h" });
    expect(written().at(-1)).toEqual({ lease: "0h30m0s", lease_max: "12h0m0s" });
  });

  test("accepts a lease longer than leaseMax, as the server does, and rejects an empty lease", async () => {
    const { resource, problems } = await scene(cloudLease);
    await expectCreate(resource, { lease: "25h", leaseMax: 86_400 });
    expect(problems({ lease: "", leaseMax: "1h" })).toEqual(['lease: given "": must not be empty']);
  });
});
