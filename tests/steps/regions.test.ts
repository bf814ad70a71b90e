import fc from "fast-check";
import { listObjects, questionOf } from "../../provider/core/functions/objects";
import type { Values } from "../../provider/core/language/object";
import job from "../../provider/services/scheduler/job";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { fifth } from "../rounds";
import { Resource } from "./resource";
import { subjects } from "./subjects";
import { World } from "./world";

/** Names that a server accepts, some with characters that have a meaning in IDs. */
const REGIONS = ["east", "west", "eu-1", "global", "a@b", "a/b", "a:b", "50%", "ü"] as const;

/** Two regions: whether the first is the agent's own, and which one the connection sets. */
const federations = fc.record({
  pair: fc.shuffledSubarray([...REGIONS], { minLength: 2, maxLength: 2 }),
  isAgents: fc.boolean(),
  connectionRegion: fc.constantFrom("neither", "one", "other"),
  form: fc.constantFrom("region", "spec", "json"),
});

type Federation = typeof federations extends fc.Arbitrary<infer F> ? F : never;

function worldOf({ pair, isAgents, connectionRegion }: Federation) {
  const [one = "", other = ""] = pair;
  const own = isAgents ? one : "home";
  const stub = new SchedulerService({
    switches: { dialect: "neutral", region: own },
    seed: { tokens: { manager: { management: true } }, regions: pair },
    random: () => 0.5,
  });
  const region = { neither: undefined, one, other }[connectionRegion];
  const world = new World(stub, job, { token: "manager", ...(region !== undefined && { region }) });
  return { world, one, other, region };
}

const group = { Name: "main", Tasks: [{ Name: "main", Driver: "exec", Config: { command: "true" } }] };
const document = { ID: "web", Type: "service", TaskGroups: [group] };
const taskGroups = [{ name: "main", tasks: [{ name: "main", driver: "exec", config: { command: "true" } }] }];

/** A program for the job `web` in a region, in one of the forms that set a region. */
function program(form: Federation["form"], region: string | undefined, priority = 50): Values {
  const hasRegion = region !== undefined;
  if (form === "spec")
    return { purge: true, spec: { id: "web", priority, taskGroups, ...(hasRegion && { region }) } };
  const json = { ...document, Priority: priority };
  return form === "json"
    ? { purge: true, json: { ...json, ...(hasRegion && { Region: region }) } }
    : { purge: true, json, ...(hasRegion && { region }) };
}

async function idsIn(world: World, region?: string): Promise<string[]> {
  const question = questionOf(job);
  if (question === undefined) throw new Error("jobs can be listed");
  const caller = { connection: world.connection, log: () => undefined };
  const ids: string[] = [];
  const args = { namespace: "*", ...(region !== undefined && { region }) };
  for await (const { id } of listObjects(question, args, { size: 10 }, caller)) ids.push(id);
  return ids;
}

/** The ID of `web` in a region, for a connection to the region `own`. */
const idIn = (region: string, own: string | undefined) =>
  region === own ? "default/web" : `${encodeURIComponent(region)}@default/web`;

test("jobs with the same ID in two regions are independent objects", async () => {
  await fc.assert(
    fc.asyncProperty(federations, async (federation) => {
      const { world, one, other, region } = worldOf(federation);
      const [first, second] = [new Resource(world, job), new Resource(world, job)];
      const programs = [one, other].map((each) => program(federation.form, each)) as [Values, Values];
      await first.create(programs[0]);
      await second.create(programs[1]);
      expect([first.id, second.id]).toEqual([idIn(one, region), idIn(other, region)]);
      expect(first.id).not.toBe(second.id);
      for (const [at, each] of [first, second].entries()) {
        expect(await each.refresh()).toBe(true);
        expect(each.preview(programs[at] ?? {}).changes).toEqual([]);
      }

      // Another user edits the first job, and only the first job has drifted.
      const before = second.outputs;
      await new Resource(world, job).create({ ...program(federation.form, one, 70), adopt: true });
      await first.refresh();
      await second.refresh();
      const drift = first.preview(programs[0]).changes.map(({ path }) => path.at(-1));
      expect(drift).toEqual(["Priority"]);
      expect(second.outputs).toEqual(before);

      // Each job is found by its own ID, and by the list of its region.
      for (const [each, there] of [
        [first, one],
        [second, other],
      ] as const) {
        const read = new Resource(world, job);
        const taken = await read.get(each.id);
        expect([read.id, read.outputs.region]).toEqual([each.id, there]);
        expect(read.outputs.jobModifyIndex).toBe(each.outputs.jobModifyIndex);
        const taking = new Resource(world, job);
        await taking.create({ ...taken, adopt: true });
        expect(taking.id).toBe(each.id);
        expect(await idsIn(world, there)).toEqual([each.id]);
      }

      // A delete removes only the job of its own region.
      await first.delete();
      expect(await first.refresh()).toBe(false);
      expect(await second.refresh()).toBe(true);
    }),
    { numRuns: fifth(100) },
  );
});

test("a job without a region is in the connection's or else the agent's region, and its ID contains no region", async () => {
  await fc.assert(
    fc.asyncProperty(federations, async (federation) => {
      const { world, region } = worldOf(federation);
      const resource = new Resource(world, job);
      const written = program("region", undefined);
      await resource.create(written);
      const agents = federation.isAgents ? federation.pair[0] : "home";
      expect([resource.id, resource.outputs.region]).toEqual(["default/web", region ?? agents]);
      expect(await resource.refresh()).toBe(true);
      expect(resource.id).toBe("default/web");
      expect(resource.preview(written).changes).toEqual([]);
      const read = new Resource(world, job);
      const taken = await read.get("default/web");
      expect([read.id, read.outputs.region, taken.region]).toEqual([
        "default/web",
        region ?? agents,
        undefined,
      ]);
      expect(await idsIn(world)).toEqual(["default/web"]);
    }),
    { numRuns: fifth(100) },
  );
});

test("a state of an earlier version with no region in its ID stays unchanged until the job is replaced", async () => {
  await fc.assert(
    fc.asyncProperty(federations, async (federation) => {
      const { world, one, other } = worldOf(federation);
      const resource = new Resource(world, job);
      const written = program(federation.form, one);
      await resource.create(written);
      resource.id = "default/web";
      const { outputs } = resource;
      expect(resource.preview(written).changes).toEqual([]);
      expect(await resource.refresh()).toBe(true);
      expect([resource.id, resource.outputs]).toEqual(["default/web", outputs]);
      expect(resource.preview(written).changes).toEqual([]);
      const replaced = resource.preview(program(federation.form, other)).changes;
      expect(replaced.filter(({ replaces }) => replaces)).not.toEqual([]);
      await resource.up(program(federation.form, one, 70));
      await resource.delete();
      expect(await idsIn(world, one)).toEqual([]);
    }),
    { numRuns: fifth(100) },
  );
});

test("a different region of the connection replaces a job without a region, but not one that names its region", async () => {
  const { world } = worldOf({
    pair: ["east", "west"],
    isAgents: true,
    connectionRegion: "one",
    form: "region",
  });
  const resource = new Resource(world, job);
  await resource.create(program("region", undefined));
  const after = new Resource(world.with({ region: "west" }), job);
  Object.assign(after, { id: resource.id, outputs: resource.outputs, inputs: resource.inputs });
  expect(after.preview(program("region", undefined)).changes).toMatchObject([
    { path: ["region"], replaces: true },
  ]);
  // A program that names the old region changes nothing, and the ID stays the same.
  expect(after.preview(program("region", "east")).changes).toEqual([]);
  expect(await after.refresh()).toBe(true);
  expect(after.id).toBe("default/web");
});

test("an error message names the job with its region", async () => {
  const { world } = worldOf({
    pair: ["east", "west"],
    isAgents: true,
    connectionRegion: "one",
    form: "region",
  });
  const written = program("region", "west");
  await new Resource(world, job).create(written);
  await expect(new Resource(world, job).create(program("region", "west", 70))).rejects.toThrow(
    'Nomad job "west@default/web"',
  );
  await expect(new Resource(world, job).get("west@default/other")).rejects.toThrow(
    'Nomad job "west@default/other" does not exist',
  );
  const nowhere = program("region", "nowhere");
  world.requests.length = 0;
  await expect(new Resource(world, job).create(nowhere)).rejects.toThrow(
    "returned 500: No path to region. Correct the values as the server's message says.",
  );
  // This is a definite rejection: no probe and no retry.
  expect(world.requests).toHaveLength(1);
});

test.each(subjects)("no step of a %s sends a read with the stale parameter", async (_, subject) => {
  const { definition, programs } = subject;
  for (const written of fc.sample(programs, { numRuns: 3 })) {
    const world = await subject.world();
    const resource = new Resource(world, definition);
    const inputs = (await resource.prepare(written)).inputs as Values;
    await resource.create(inputs);
    await resource.refresh();
    const [id, { outputs }] = [resource.id, resource];
    await new Resource(world, definition).get(id);
    // The first response to a write is lost, so that the step probes.
    let isLost = false;
    world.fate = ({ nature }) => {
      if (isLost || nature === "read") return "passes";
      isLost = true;
      return "response lost";
    };
    resource.outputs = outputs;
    await resource.delete();
    expect(world.requests.length).toBeGreaterThan(2);
    expect(world.requests.filter(({ query }) => query !== undefined && "stale" in query)).toEqual([]);
  }
});
