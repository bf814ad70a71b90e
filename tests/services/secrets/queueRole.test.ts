import type { Values } from "../../../provider/core/language/object";
import { withMetadata } from "../../../provider/core/value/programInputs";
import queueRole from "../../../provider/services/secrets/queueRole";
import { SecretsService } from "../../../testing/stub/services/secrets/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";

function scene() {
  const stub = new SecretsService({
    seed: { tokens: { root: {} }, policies: {}, namespaces: {} },
    switches: { dialect: "neutral" },
  });
  const world = new World(stub, queueRole, { token: "root" });
  return { world, role: new Resource(world, queueRole) };
}
const asRoot = { "x-secrets-token": "root", "content-type": "application/json" };
const program = { name: "app", tags: "monitoring", vhosts: '{"/": {"read": ".*"}}' };

test("a role is created with one look, one write and one read back, and the next preview is empty", async () => {
  const { world, role } = scene();
  await role.create(program);
  expect(role.id).toBe("msgq/app");
  expect(world.requests.map(({ method }) => method)).toEqual(["GET", "POST", "GET"]);
  expect(role.preview(program).changes).toEqual([]);
  expect(await role.refresh()).toBe(true);
  expect(role.preview(program).changes).toEqual([]);
  expect(role.inputs).toEqual(program);
});

describe.each([
  ["vhosts", '{"a": null, "b": {"Read": ".*"}}', { a: {}, b: { read: ".*" } }],
  [
    "vhostTopics",
    '{"a": null, "b": {"x": null, "y": {"Read": ".*"}}}',
    { a: {}, b: { x: {}, y: { read: ".*" } } },
  ],
])("%s as %s", (property, text, map) => {
  const asText = { name: "app", tags: "monitoring", [property]: text };
  const asMap = { ...asText, [property]: map };

  test("is equal to the same map with lower-case names and empty entries", async () => {
    const { role } = scene();
    expect(role.check(asText)).toEqual([]);
    await role.create(asText);
    expect(role.preview(asMap).changes).toEqual([]);
    await role.refresh();
    expect(role.preview(asText).changes).toEqual([]);
    expect(role.inputs).toEqual(asText);
  });

  test("differs from the map without its empty entries, and without the permission", async () => {
    const { role } = scene();
    await role.create(asText);
    const { a: _, ...withoutEmpty } = map;
    expect(role.preview({ ...asText, [property]: withoutEmpty }).changes).toMatchObject([
      { path: [property, "a"], kind: "delete" },
    ]);
    expect(role.preview({ ...asText, [property]: { a: {} } }).changes).not.toEqual([]);
  });
});

describe("a permission that there is not", () => {
  const topics = (value: object) => ({ name: "app", tags: "monitoring", vhostTopics: value });
  const named = (path: string, reason: string) => [{ path, reason: expect.stringContaining(reason) }];

  test.each<[string, Values, unknown]>([
    [
      "a virtual host",
      { name: "app", vhosts: { "/": { raed: ".*" } } },
      named('vhosts["/"].raed', "there is no such property; did you mean read?"),
    ],
    [
      "an exchange",
      topics({ "/": { orders: { configure: ".*" } } }) as Values,
      named('vhostTopics["/"].orders.configure', "there is no such property; known: write, read"),
    ],
    [
      "a virtual host, where it is no text, in JSON text",
      { name: "app", vhosts: '{"/": {"read": true}}' },
      named("vhosts", '["/"].read must be text'),
    ],
    [
      "an exchange, where that is no map, in JSON text",
      { ...topics({}), vhostTopics: '{"/": {"orders": ".*"}}' } as Values,
      named("vhostTopics", '["/"].orders must be a map'),
    ],
    [
      "a virtual host, where the text is no map of them",
      { name: "app", vhosts: "[]" },
      named("vhosts", "must be a map, or JSON text of one"),
    ],
    [
      "a virtual host, where the text is no JSON",
      { name: "app", vhosts: "{" },
      named("vhosts", "must be a map, or JSON text of one"),
    ],
    [
      "a virtual host, where it is no text",
      { name: "app", vhosts: { "/": { read: true } } },
      named('vhosts["/"].read', "must be text"),
    ],
    [
      "a virtual host, where that is no map, as JSON text",
      { name: "app", vhosts: '{"/": ".*"}' },
      named("vhosts", '["/"] must be a map'),
    ],
  ])("is refused in the preview, with where it stands: on %s", (_, inputs, problems) => {
    expect(scene().role.check(inputs)).toEqual(problems);
  });

  test.each<[string, Values, string[]]>([
    [
      "a virtual host",
      { vhosts: '{"/": {"raed": ".*", "read": null}, "b": null}' },
      [
        'vhosts: ["/"].raed is no permission, and the service takes no notice of it; known: configure, write, read',
      ],
    ],
    [
      "an exchange",
      { vhostTopics: '{"/": {"orders": {"configure": ".*"}}}' },
      [
        'vhostTopics: ["/"].orders.configure is no permission, and the service takes no notice of it; known: write, read',
      ],
    ],
    [
      "a virtual host of a text that the program marked secret",
      withMetadata({ vhosts: '{"/": {"raed": ".*", "other": 1}}' }, { secretPaths: ["vhosts"] }),
      [
        "vhosts: something in it is no permission, and the service takes no notice of it; known: configure, write, read",
      ],
    ],
  ])("is told in the preview, and left to the service, in JSON text: on %s", (_, own, notes) => {
    const inputs = { ...own, name: "app", tags: "monitoring" };
    expect(scene().role.check(inputs)).toEqual([]);
    expect(queueRole.notes?.({ step: "create", inputs, changed: [] })).toEqual(notes);
  });

  test("would be dropped by the service without a word", async () => {
    const { world } = scene();
    await world.send("POST", "/v1/msgq/roles/app", { vhosts: '{"/": {"raed": ".*"}}' }, asRoot);
    const { json } = await world.send("GET", "/v1/msgq/roles/app", undefined, asRoot);
    expect(JSON.stringify(json)).not.toContain("raed");
  });
});

test.each<[Values, number]>([
  [{ vhosts: {} }, 0],
  [{ vhosts: "{}" }, 0],
  [{ tags: "monitoring" }, 0],
  [{}, 1],
  [{ tags: "", vhosts: "" }, 1],
  [{ tags: [] }, 1],
])(
  "a role of %j is refused where the service gets neither tags nor vhosts, and there alone",
  async (own, refused) => {
    const { role } = scene();
    const inputs = { name: "app", ...own };
    expect(role.check(inputs)).toHaveLength(refused);
    if (refused > 0) return;
    await role.create(inputs);
    expect(role.preview(inputs).changes).toEqual([]);
  },
);

test("a drift is shown, and the next up puts it back", async () => {
  const { world, role } = scene();
  await role.create(program);
  await world.send(
    "POST",
    "/v1/msgq/roles/app",
    { tags: "policymaker", vhosts: '{"/":{"read":".*"}}' },
    asRoot,
  );
  await role.refresh();
  expect(role.preview(program).changes).toMatchObject([{ path: ["tags"], cause: "drift", kind: "update" }]);
  expect(await role.up(program)).toBe(true);
  expect(role.preview(program).changes).toEqual([]);
  const { json } = await world.send("GET", "/v1/msgq/roles/app", undefined, asRoot);
  expect(json).toMatchObject({ data: { tags: "monitoring" } });
});

test("an edit by somebody else between preview and up is a conflict, and theirs stays", async () => {
  const { world, role } = scene();
  await role.create(program);
  await world.send("POST", "/v1/msgq/roles/app", { tags: "policymaker", vhosts: "{}" }, asRoot);
  await expect(role.update({ ...program, tags: "management" })).rejects.toThrow(/conflict/);
  const { json } = await world.send("GET", "/v1/msgq/roles/app", undefined, asRoot);
  expect(json).toMatchObject({ data: { tags: "policymaker" } });
});

test("delete removes it, and deleting what is gone succeeds", async () => {
  const { world, role } = scene();
  await role.create(program);
  await role.delete();
  expect((await world.send("GET", "/v1/msgq/roles/app", undefined, asRoot)).status).toBe(404);
  await role.delete();
});
