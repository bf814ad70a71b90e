import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import { isObject, type Json } from "../../../provider/core/value/json";
import configEntry from "../../../provider/services/mesh/configEntry";
import { typedKinds } from "../../../provider/services/mesh/kinds/all";
import exportedServices from "../../../provider/services/mesh/kinds/exportedServices";
import meshEntry from "../../../provider/services/mesh/kinds/mesh";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { rounds } from "../../rounds";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";
import { expectNoChanges, notesOfCreate } from "../expectations";

type Members = { [member: string]: Json };

const scene = () => {
  const stub = new MeshService({
    seed: { tokens: { manager: { management: true } } },
    switches: { dialect: "real" },
  });
  return new Resource(new World(stub, configEntry, { token: "manager", dialect: "real" }), configEntry);
};

/** Entries with the member names that Consul stores. The keys of free-form maps look like member names. */
const entries: readonly (readonly [kind: string, name: string, spec: Members])[] = [
  [
    "service-defaults",
    "web",
    {
      Protocol: "http",
      ExternalSNI: "web.example.com",
      MaxInboundConnections: 5,
      LocalConnectTimeoutMs: 7,
      MutualTLSMode: "strict",
      Meta: { protocol: "x", external_sni: "y" },
      UpstreamConfig: {
        Defaults: { PassiveHealthCheck: { MaxFailures: 3, EnforcingConsecutive5xx: 50 } },
        Overrides: [{ Name: "db", ConnectTimeoutMs: 10, EnvoyListenerJSON: "{}" }],
      },
      EnvoyExtensions: [{ Name: "builtin/lua", Arguments: { proxy_type: "x", Name: "y" } }],
    },
  ],
  [
    "service-resolver",
    "web",
    {
      DefaultSubset: "only-passing",
      Subsets: { "only-passing": { OnlyPassing: true, Filter: "Service.Meta.v == 1" }, all: {} },
      LoadBalancer: { Policy: "ring_hash", RingHashConfig: { MinimumRingSize: 8 } },
    },
  ],
  [
    "proxy-defaults",
    "global",
    { Config: { protocol: "http", Mesh_Gateway: {} }, MeshGateway: { Mode: "local" } },
  ],
  [
    "service-intentions",
    "web",
    { Sources: [{ Name: "api", Action: "allow", Description: "why" }], Meta: { Sources: "none" } },
  ],
];

const snake = (name: string) =>
  name
    .replace(/([a-z])([0-9A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.charAt(0).toLowerCase() + name.slice(1),
  snake,
];

/** Members whose value is a free-form map. */
const FREE_FORM_MAPS = new Set(["Meta", "Arguments", "Config"]);
const BY_KEY = new Set(["Subsets"]);

function respell(value: Json, spell: (name: string) => string): Json {
  if (Array.isArray(value)) return value.map((element) => respell(element, spell));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (FREE_FORM_MAPS.has(name)) return [spell(name), member];
      if (BY_KEY.has(name) && isObject(member)) {
        const byKey = Object.entries(member).map(([key, entry]) => [key, respell(entry, spell)] as const);
        return [spell(name), Object.fromEntries(byKey)];
      }
      return [spell(name), respell(member, spell)];
    }),
  );
}

/** Intentions need a source. */
const optional = (spec: Members) => Object.keys(spec).filter((member) => member !== "Sources");

const choices = fc.infiniteStream(fc.constantFrom(...spellings));

describe.each(entries)("members of a %s, in any spelling that Consul accepts,", (kind, name, spec) => {
  const program = (own: Json): Values => ({ kind, name, spec: own });

  test("show no changes against the names that Consul stores", async () => {
    await fc.assert(
      fc.asyncProperty(choices, fc.boolean(), async (choice, isText) => {
        const own = respell(spec, (each) => choice.next().value(each));
        const written = program(isText ? JSON.stringify(own) : own);
        const entry = scene();
        expect(entry.check(written)).toEqual([]);
        await entry.create(written);
        expect(entry.preview(program(spec)).changes).toEqual([]);
        await entry.refresh();
        expect(entry.preview(written).changes).toEqual([]);
        expect(entry.inputs).toEqual(written);
        expect(notesOfCreate(configEntry, written)).toEqual([]);
      }),
      { numRuns: rounds(60, 8) },
    );
  });

  test("show a change and are removed if the program no longer writes them", async () => {
    await fc.assert(
      fc.asyncProperty(choices, fc.constantFrom(...optional(spec)), async (choice, dropped) => {
        const { [dropped]: _, ...rest } = spec;
        // A default subset must be one of the subsets.
        if (dropped === "Subsets") delete rest.DefaultSubset;
        const spell = (each: string) => choice.next().value(each);
        const entry = scene();
        await entry.create(program(respell(spec, spell)));
        const less = program(respell(rest, spell));
        expect(entry.preview(less).changes.map(({ path }) => path[1])).toContain(dropped);
        await entry.up(less);
        await entry.refresh();
        expect(entry.preview(program(rest)).changes).toEqual([]);
        const again = new Resource(entry.world, configEntry);
        const imported = await again.get(`${kind}/${name}`);
        expect(Object.keys(imported.spec as Members)).not.toContain(dropped);
      }),
      { numRuns: rounds(60, 8) },
    );
  });
});

test.each([
  ["service-defaults", { Protcol: "http" }, "spec.Protcol"],
  ["service-resolver", { subsets: { v1: { fliter: "x" } } }, "spec.Subsets.v1.fliter"],
  ["service-router", { Routes: [{ match: { http: { path: "/" } } }] }, "spec.Routes[0].Match.HTTP.path"],
])("the preview of a %s reports the unknown member in %j", (kind, spec, path) => {
  const inputs = { kind, name: "web", spec };
  expect(notesOfCreate(configEntry, inputs)).toEqual([
    `${path} is not a known member of ${kind}; Consul rejects unknown members`,
  ]);
});

test("typedKinds lists 16 kinds, each with its own token", () => {
  const tokens = Object.values(typedKinds).map(({ token }) => token);
  expect(new Set(tokens).size).toBe(Object.keys(typedKinds).length);
  expect(Object.keys(typedKinds)).toHaveLength(16);
});

const programs: readonly [string, Definition, Values, Values][] = [
  [
    "a ConfigEntry",
    configEntry,
    { kind: "mesh", name: "mesh", spec: { TransparentProxy: { MeshDestinationsOnly: true } } },
    { kind: "mesh", name: "mesh", spec: { TransparentProxy: { MeshDestinationsOnly: false } } },
  ],
  [
    "a typed Mesh entry",
    meshEntry,
    { spec: { transparentProxy: { meshDestinationsOnly: true } } },
    { spec: { transparentProxy: { meshDestinationsOnly: false } } },
  ],
];

describe.each(programs)("kind mesh as %s", (_, definition, first, second) => {
  test.each([
    ["real", false],
    ["neutral", true],
  ])(
    "is created, changed and deleted in the dialect %s (request body contains a name: %s)",
    async (dialect, isNamed) => {
      const seed = { tokens: { manager: { management: true } } };
      const stub = new MeshService({ seed, switches: { dialect: dialect as "real" | "neutral" } });
      const world = new World(stub, definition, { token: "manager", dialect });
      const entry = new Resource(world, definition);
      await entry.create(first);
      await entry.up(second);
      expect(entry.preview(second).changes).toEqual([]);
      const bodies = world.requests
        .filter(({ method }) => method === "PUT")
        .map(({ body }) => body as Values);
      expect(bodies).not.toEqual([]);
      for (const body of bodies) expect([body.Kind, "Name" in body]).toEqual(["mesh", isNamed]);
      await entry.delete();
      expect(await entry.refresh()).toBe(false);
    },
  );
});

describe("Consul Community Edition", () => {
  const world = () =>
    new World(
      new MeshService({ seed: { tokens: { manager: { management: true } } }, switches: { dialect: "real" } }),
      configEntry,
      { token: "manager", dialect: "real" },
    );

  test.each<[string, Values, string]>([
    ["a namespace", { kind: "service-defaults", name: "web", namespace: "team" }, "namespace"],
    ["a partition", { kind: "service-defaults", name: "web", partition: "default" }, "partition"],
    [
      "a partition inside an entry",
      {
        kind: "service-intentions",
        name: "web",
        spec: { Sources: [{ Name: "api", Action: "allow", Partition: "default" }] },
      },
      "partition",
    ],
    [
      "rate limits",
      { kind: "service-defaults", name: "web", spec: { RateLimits: { InstanceLevel: {} } } },
      "this feature",
    ],
    [
      "a sameness group",
      {
        kind: "exported-services",
        name: "default",
        spec: { Services: [{ Name: "web", Consumers: [{ SamenessGroup: "all" }] }] },
      },
      "this feature",
    ],
  ])("rejects %s, and the error says which field to remove", async (_, program, field) => {
    const entry = new Resource(world(), configEntry);
    await expect(entry.create(program)).rejects.toMatchObject({
      advice: expect.stringContaining(`Community Edition, which does not support ${field}: remove it`),
    });
  });

  test.each([
    "dc1/default/service-defaults/web",
    "dc1//service-defaults/web",
    "service-defaults/web",
    "default@dc1/default/service-defaults/web",
    "default@service-defaults/web",
  ])("imports an entry by the ID %s, under the ID of its create", async (id) => {
    const own = world().with({ datacenter: "dc1" });
    const program = { kind: "service-defaults", name: "web", spec: { Protocol: "http" } };
    const made = new Resource(own, configEntry);
    await made.create(program);
    const read = new Resource(own, configEntry);
    expect(await read.get(id)).toEqual(program);
    expect([read.id, made.id]).toEqual(["dc1//service-defaults/web", "dc1//service-defaults/web"]);
    expect(await read.refresh()).toBe(true);
    expect(read.preview(program).changes).toEqual([]);
    const sent = own.requests.length;
    await read.delete();
    expect(own.requests.slice(sent).every(({ query = {} }) => !query.ns && !query.partition)).toBe(true);
  });

  test("rejects an import ID that contains a namespace", async () => {
    const read = new Resource(world(), configEntry);
    await expect(read.get("dc1/team/service-defaults/web")).rejects.toMatchObject({
      advice: expect.stringContaining("Community Edition, which does not support namespace"),
    });
  });

  test("rejects exported-services whose name is not its partition's name", async () => {
    const program = { kind: "exported-services", name: "web", spec: { Services: [] } };
    const entry = new Resource(world(), configEntry);
    expect(entry.check({ ...program, partition: "team" })).toMatchObject([
      { path: "name", reason: expect.stringContaining('must be "team"') },
    ]);
    expect(entry.check({ ...program, name: "team", partition: "team" })).toEqual([]);
    expect(entry.check(program)).toEqual([]);
    for (const { notes } of [configEntry, exportedServices])
      expect(notes?.({ step: "create", inputs: program, changed: [] })).toEqual([
        expect.stringContaining('"default" on Consul Community Edition'),
      ]);
    await expect(entry.create(program)).rejects.toMatchObject({
      advice: expect.stringContaining(
        "Correct name: an exported-services entry has the name of its partition",
      ),
    });
    const typed = new Resource(world(), exportedServices);
    expect(typed.check({ name: "web", partition: "team", spec: {} })).toMatchObject([{ path: "name" }]);
  });

  test("shows no changes for an entry without namespace and partition", async () => {
    const entry = new Resource(world(), configEntry);
    await entry.create({ kind: "service-defaults", name: "web" });
    await expectNoChanges(entry, { kind: "service-defaults", name: "web" });
  });
});

test("proxy-defaults has its name in the outputs in the dialect real", async () => {
  const seed = { tokens: { manager: { management: true } } };
  const stub = new MeshService({ seed, switches: { dialect: "real" } });
  const entry = new Resource(
    new World(stub, configEntry, { token: "manager", dialect: "real" }),
    configEntry,
  );
  await entry.create({ kind: "proxy-defaults", name: "global", spec: { Config: { protocol: "http" } } });
  expect(entry.outputs.name).toBe("global");
});
