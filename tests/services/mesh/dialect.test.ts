import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import configEntry from "../../../provider/services/mesh/configEntry";
import exportedServices from "../../../provider/services/mesh/kinds/exportedServices";
import meshEntry from "../../../provider/services/mesh/kinds/mesh";
import { MeshService } from "../../../testing/stub/services/mesh/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";

const programs: readonly [string, Definition, Values, Values][] = [
  [
    "a plain entry",
    configEntry,
    { kind: "mesh", name: "mesh", spec: { TransparentProxy: { MeshDestinationsOnly: true } } },
    { kind: "mesh", name: "mesh", spec: { TransparentProxy: { MeshDestinationsOnly: false } } },
  ],
  [
    "the typed one",
    meshEntry,
    { spec: { transparentProxy: { meshDestinationsOnly: true } } },
    { spec: { transparentProxy: { meshDestinationsOnly: false } } },
  ],
];

describe.each(programs)("kind mesh, as %s", (_, definition, first, second) => {
  test.each([
    ["real", false],
    ["neutral", true],
  ])(
    "is created, changed and deleted in the dialect %s; its body holds a name: %s",
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

describe("the community edition", () => {
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
      "that",
    ],
    [
      "a sameness group",
      {
        kind: "exported-services",
        name: "default",
        spec: { Services: [{ Name: "web", Consumers: [{ SamenessGroup: "all" }] }] },
      },
      "that",
    ],
  ])("refuses %s, and the error names the field", async (_, program, field) => {
    const entry = new Resource(world(), configEntry);
    await expect(entry.create(program)).rejects.toMatchObject({
      advice: expect.stringContaining(`community edition, which does not have ${field}: leave it out`),
    });
  });

  test.each([
    "dc1/default/service-defaults/web",
    "dc1//service-defaults/web",
    "service-defaults/web",
    "default@dc1/default/service-defaults/web",
    "default@service-defaults/web",
  ])("reads an entry by the id %s, and gives it the id of its create", async (id) => {
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

  test("refuses an id with a namespace of its own", async () => {
    const read = new Resource(world(), configEntry);
    await expect(read.get("dc1/team/service-defaults/web")).rejects.toMatchObject({
      advice: expect.stringContaining("community edition, which does not have namespace"),
    });
  });

  test("exported-services with another name than the partition's", async () => {
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

  test("answers an entry without namespace and partition, under an id without either", async () => {
    const entry = new Resource(world(), configEntry);
    await entry.create({ kind: "service-defaults", name: "web" });
    expect(entry.preview({ kind: "service-defaults", name: "web" }).changes).toEqual([]);
    await entry.refresh();
    expect(entry.preview({ kind: "service-defaults", name: "web" }).changes).toEqual([]);
  });
});

test("every other kind is written with its name in the dialect real", async () => {
  const seed = { tokens: { manager: { management: true } } };
  const stub = new MeshService({ seed, switches: { dialect: "real" } });
  const entry = new Resource(
    new World(stub, configEntry, { token: "manager", dialect: "real" }),
    configEntry,
  );
  await entry.create({ kind: "proxy-defaults", name: "global", spec: { Config: { protocol: "http" } } });
  expect(entry.outputs.name).toBe("global");
});
