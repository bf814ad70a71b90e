import fc from "fast-check";
import { callFunction } from "../../provider/core/functions/call";
import { listObjects, questionOf } from "../../provider/core/functions/objects";
import type { Values } from "../../provider/core/language/object";
import configEntry from "../../provider/services/mesh/configEntry";
import functions from "../../provider/services/mesh/functions";
import httpRoute from "../../provider/services/mesh/kinds/httpRoute";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { twentieth } from "../rounds";
import { Resource } from "./resource";
import type { Subject } from "./subject";
import { subjects } from "./subjects";
import { World } from "./world";

const PARTITIONS = ["team-a", "B", "7"];
const ofMesh = subjects.filter(([token]) => token.startsWith("mesh:"));

/** A world whose prerequisites exist in every partition, too. */
async function worldWith({ world: make }: Subject): Promise<World> {
  const sending = jest.spyOn(World.prototype, "send");
  const world = await make();
  const before = [...sending.mock.calls];
  sending.mockRestore();
  world.stub.seed({ partitions: PARTITIONS, namespaces: ["web"] });
  for (const partition of PARTITIONS)
    for (const [method, path, body, headers] of before)
      await world.send(method, path, body, { ...headers, "x-mesh-partition": partition });
  return world;
}

/** The partitions that requests name. */
const named = ({ requests }: World) => [...new Set(requests.map(({ query }) => query?.partition))];

/** A program for a partition; the exported services of a partition have its name. */
function inPartition({ definition }: Subject, program: Values, partition: string): Values {
  const isExport = definition.token === "mesh:ExportedServices";
  return { ...program, partition, ...(isExport && { name: partition }) };
}

async function idsIn(world: World, subject: Subject, args: Values): Promise<string[]> {
  const question = questionOf(subject.definition);
  if (question === undefined) throw new Error("entries can be listed");
  const caller = { connection: world.connection, log: () => undefined };
  const ids: string[] = [];
  for await (const { id } of listObjects(question, args, { size: 10 }, caller)) ids.push(id);
  return ids;
}

test("every Consul resource supports a partition", () => {
  const { catalog } = require("../../provider/catalog") as typeof import("../../provider/catalog");
  const outside = Object.keys(catalog).filter(
    (token) => token.startsWith("mesh:") && catalog[token]?.().where.id.realm !== "partition",
  );
  expect(outside).toEqual([]);
});

describe.each(ofMesh)("a %s in a partition", (_, subject) => {
  const { definition, programs } = subject;

  test("is a different object than one of the same name outside, and every request goes to its partition", async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.constantFrom(...PARTITIONS), async (program, partition) => {
        const world = await worldWith(subject);
        const there = world.another();
        const [own, other] = [new Resource(world, definition), new Resource(there, definition)];
        const written = inPartition(subject, program, partition);
        await own.create(program);
        await other.create(written);
        const prefix = `${partition}@`;
        expect(other.id.startsWith(prefix)).toBe(true);
        expect(own.id).not.toContain("@");
        const before = other.outputs;
        expect(other.outputs.partition).toBe(partition);
        expect(await other.refresh()).toBe(true);
        expect(other.outputs).toEqual(before);
        expect(other.preview(written).changes).toEqual([]);
        expect(own.preview({ ...program, partition }).changes).toMatchObject([
          { path: ["partition"], replaces: true },
        ]);
        expect(other.preview({ ...written, partition: null }).changes).toMatchObject([
          { path: ["partition"], replaces: true },
        ]);

        // Read the same object by its ID, and by a connection to the partition.
        const read = new Resource(there, definition);
        const taken = await read.get(other.id);
        expect(taken).toMatchObject({ partition });
        expect([read.id, read.record.observed]).toEqual([other.id, other.record.observed]);
        const taking = new Resource(there, definition);
        await taking.create({ ...taken, adopt: true });
        expect([taking.id, taking.outputs.modifyIndex]).toEqual([other.id, other.outputs.modifyIndex]);
        const within = new Resource(world.with({ partition }), definition);
        await within.get(other.id.slice(prefix.length));
        expect([within.id, within.record.observed]).toEqual([
          other.id.slice(prefix.length),
          other.record.observed,
        ]);
        const kind = definition === configEntry ? { kind: program.kind ?? null } : {};
        expect(await idsIn(there, subject, { ...kind, partition })).toContain(other.id);
        expect(await idsIn(world, subject, kind)).not.toContain(other.id);

        await other.delete();
        expect(await other.refresh()).toBe(false);
        expect(await own.refresh()).toBe(true);
        expect(named(there)).toEqual([partition]);
        // Without a partition in the program, requests name none until a response contains it.
        expect(named(world)).toEqual([undefined, "default"]);
      }),
      { numRuns: twentieth(100) },
    );
  });
});

describe.each(["namespace", "partition"] as const)("the %s of a configuration entry", (part) => {
  const member = part === "namespace" ? "Namespace" : "Partition";

  test("can be set in the entry itself, and two different values are rejected", async () => {
    const world = new World(
      new MeshService({
        switches: { dialect: "neutral" },
        seed: { tokens: { manager: { management: true } }, namespaces: ["B"], partitions: ["B"] },
      }),
      configEntry,
      { token: "manager" },
    );
    const program = { kind: "service-defaults", name: "web" };
    for (const spec of [{ Protocol: "http", [member]: "B" }, JSON.stringify({ [member]: "B" })]) {
      const resource = new Resource(world, configEntry);
      await resource.create({ ...program, spec });
      expect(resource.outputs[part]).toBe("B");
      expect(await resource.refresh()).toBe(true);
      expect(resource.preview({ ...program, spec }).changes).toEqual([]);
      expect(resource.preview({ ...program, spec: { [member]: "C" } }).changes).toContainEqual(
        expect.objectContaining({ path: [part], replaces: true }),
      );
      const problems = resource.check({ ...program, spec, [part]: "other" });
      expect(problems.map(({ path }) => path)).toEqual([part]);
      expect(resource.check({ ...program, spec, [part]: "B" })).toEqual([]);
      await resource.delete();
      expect(await resource.refresh()).toBe(false);
    }
  });
});

test.each(["*", "a/b", "-a", ""])("the partition %j is rejected", (partition) => {
  const world = new World(new MeshService({ switches: { dialect: "neutral" } }), configEntry, {});
  const program = { kind: "service-defaults", name: "web" };
  const problems = new Resource(world, configEntry).check({ ...program, partition });
  expect(new Set(problems.map(({ path }) => path))).toEqual(new Set(["partition"]));
});

test.each([{ namespace: "B" }, { partition: "B" }])(
  "an HTTP route with a parent shows no changes in %j",
  async (at) => {
    const world = new World(
      new MeshService({
        switches: { dialect: "neutral" },
        seed: { tokens: { manager: { management: true } }, namespaces: ["B"], partitions: ["B"] },
      }),
      httpRoute,
      { token: "manager" },
    );
    const route = new Resource(world, httpRoute);
    const written = { name: "web", spec: { parents: [{ name: "gateway" }] }, ...at };
    await route.create(written);
    expect(await route.refresh()).toBe(true);
    expect(route.preview(written).changes).toEqual([]);
  },
);

test("an entry without a partition is in the agent's own partition, and its ID contains no partition", async () => {
  const seed = { tokens: { manager: { management: true } } };
  const world = new World(
    new MeshService({ seed, switches: { dialect: "neutral", partition: "B" } }),
    configEntry,
    {
      token: "manager",
    },
  );
  const entry = new Resource(world, configEntry);
  const written = { kind: "service-defaults", name: "web" };
  await entry.create(written);
  expect([entry.id, entry.outputs.partition]).toEqual(["/default/service-defaults/web", "B"]);
  expect(await entry.refresh()).toBe(true);
  expect(entry.preview(written).changes).toEqual([]);
  expect(entry.preview({ ...written, partition: "default" }).changes).toMatchObject([{ replaces: true }]);
});

test("getConfigEntries returns the entries of the partition in its arguments", async () => {
  const seed = { tokens: { manager: { management: true } }, partitions: ["B"] };
  const world = new World(new MeshService({ switches: { dialect: "neutral" }, seed }), configEntry, {
    token: "manager",
  });
  const entry = new Resource(world, configEntry);
  await entry.create({ kind: "service-defaults", name: "web", partition: "B" });
  const caller = { connection: world.connection, log: () => undefined };
  const ask = async (args: Values) =>
    (await callFunction(functions.getConfigEntries, { kind: "service-defaults", ...args }, caller)).result;
  expect(await ask({ partition: "B" })).toMatchObject({ entries: [{ name: "web", partition: "B" }] });
  expect(await ask({})).toMatchObject({ entries: [] });
});
