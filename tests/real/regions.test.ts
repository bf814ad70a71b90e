import { listObjects, questionOf } from "../../provider/core/functions/objects";
import { type Client, createClient } from "../../provider/core/http/client";
import { type ClientOptions, systemRuntime } from "../../provider/core/http/options";
import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import job from "../../provider/services/scheduler/job";
import type { StubService } from "../../testing/stub/service";
import { expectQuietLife } from "../steps/life";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { startRegions } from "./servers/nomadRegions";
import { ask, Begun, givenServer } from "./servers/server";

const server = givenServer();

const REGIONS = ["east", "west"] as const;
type Region = (typeof REGIONS)[number];

const group = { Name: "main", Tasks: [{ Name: "main", Driver: "raw_exec", Config: { command: "true" } }] };

/** The job `web` in a region, by `region` or by the document's own member; of whoever says none, in the connection's. */
function program(region: Region | undefined, priority: number, isInDocument = false): Values {
  const own = region === undefined ? {} : isInDocument ? { Region: region } : {};
  const json = { ID: "web", Priority: priority, Datacenters: ["dc1"], TaskGroups: [group], ...own };
  return { json, purge: true, ...(region !== undefined && !isInDocument && { region }) };
}

if (server?.program !== "nomad") {
  test.skip("no regions are tried: the server is another one", () => undefined);
} else {
  const begun = new Begun();
  let [addresses, token]: [readonly string[], string] = [[], ""];

  beforeAll(async () => {
    ({ addresses, token } = await startRegions(begun, REGIONS));
  });
  afterAll(() => begun.end());
  afterEach(async () => {
    for (const region of REGIONS)
      await ask(`${addresses[0]}/v1/job/web?purge=true&region=${region}`, {
        method: "DELETE",
        headers: header(),
      });
  });

  const header = () => ({ "x-nomad-token": token });

  /** The connection: by the agent of the first region. */
  function worldOf(settings: Values = {}, sent: HttpRequest[] = []): World {
    const reached = { settings: { address: addresses[0] ?? "", dialect: "real" }, runtime: systemRuntime };
    // Only where it is, and that time is real, is asked of what stands in a stub's place.
    const stub = { name: "scheduler", reached } as unknown as StubService;
    const recording = (options: ClientOptions): Client => {
      const client = createClient(options);
      return {
        close: () => client.close(),
        send: (request) => {
          sent.push(request);
          return client.send(request);
        },
      };
    };
    return new World(stub, job, { token, ...settings }, { runtime: systemRuntime, createClient: recording });
  }

  async function idsIn(world: World, region?: Region): Promise<string[]> {
    const question = questionOf(job);
    if (question === undefined) throw new Error("jobs can be listed");
    const caller = { connection: world.connection, log: () => undefined };
    const ids: string[] = [];
    const args = { namespace: "*", ...(region !== undefined && { region }) };
    for await (const { id } of listObjects(question, args, { size: 10 }, caller)) ids.push(id);
    return ids;
  }

  /** What a region's own agent has, without anybody who passes on. */
  async function priorityIn(region: Region): Promise<unknown> {
    const at = addresses[REGIONS.indexOf(region)];
    return ((await ask(`${at}/v1/job/web`, { headers: header() })) as Values).Priority;
  }

  test.each([
    ["`region`", false],
    ["the document's own region", true],
  ])(
    `one connection holds the same job id in both regions by %s, each for itself (${server.version})`,
    async (_, isInDocument) => {
      const world = worldOf();
      const written = REGIONS.map((region, at) => program(region, 50 + at, isInDocument));
      const both = written.map(() => new Resource(world, job));
      for (const [at, each] of both.entries()) await each.create(written[at] ?? {});
      expect(both.map(({ id }) => id)).toEqual(["east@default/web", "west@default/web"]);
      for (const [at, region] of REGIONS.entries()) {
        expect(await priorityIn(region)).toBe(50 + at);
        expect(await both[at]?.refresh()).toBe(true);
        expect(both[at]?.preview(written[at] ?? {}).changes).toEqual([]);
        expect(await idsIn(world, region)).toEqual([`${region}@default/web`]);
        const imported = new Resource(world, job);
        await imported.get(`${region}@default/web`);
        expect([imported.id, imported.outputs.region]).toEqual([`${region}@default/web`, region]);
        expect(imported.outputs.jobModifyIndex).toBe(both[at]?.outputs.jobModifyIndex);
        expect(imported.preview(imported.inputs).changes).toEqual([]);
      }
      expect(world.logged).toEqual([]);

      // Somebody edits the one by its own agent, and only that one has drifted.
      const Job = { ...(written[1]?.json as object), Region: "west", Priority: 70 };
      await ask(`${addresses[1]}/v1/jobs`, { method: "POST", headers: header(), body: { Job } });
      for (const each of both) await each.refresh();
      expect(both[0]?.preview(written[0] ?? {}).changes).toEqual([]);
      expect(both[1]?.preview(written[1] ?? {}).changes.map(({ path }) => path.at(-1))).toEqual(["Priority"]);

      await both[0]?.delete();
      expect(await both[0]?.refresh()).toBe(false);
      expect(await both[1]?.refresh()).toBe(true);
      await both[1]?.delete();
      expect(await both[1]?.refresh()).toBe(false);
    },
  );

  test("who says no region is in the agent's own, and a connection's region is another place", async () => {
    const plain = await expectQuietLife(
      worldOf(),
      { definition: job },
      program(undefined, 50),
      program(undefined, 60),
    );
    const world = worldOf({ region: "west" });
    const away = await expectQuietLife(
      world,
      { definition: job },
      program(undefined, 51),
      program(undefined, 61),
    );
    expect([plain.id, plain.outputs.region]).toEqual(["default/web", "east"]);
    expect([away.id, away.outputs.region]).toEqual(["default/web", "west"]);
    expect([await priorityIn("east"), await priorityIn("west")]).toEqual([60, 61]);
    expect(await idsIn(world)).toEqual(["default/web"]);
    expect(await idsIn(world, "east")).toEqual(["east@default/web"]);
  });

  test("a preview asks the scheduler of the job's own region", async () => {
    const sent: HttpRequest[] = [];
    const world = worldOf({}, sent);
    const resource = new Resource(world, job);
    await resource.create(program("west", 50));
    sent.length = 0;
    await resource.forecast(program("west", 60));
    expect(sent.map(({ method, path, query }) => [method, path, query?.region])).toEqual([
      ["POST", "/v1/job/web/plan", "west"],
    ]);
    expect(world.logged.join("\n")).toContain('"main"');
  });

  test("a region that is nowhere is the server's own refusal", async () => {
    const nowhere = { ...program(undefined, 50), region: "nowhere" };
    await expect(new Resource(worldOf(), job).create(nowhere)).rejects.toThrow("No path to region");
  });
}
