import { listObjects, questionOf } from "../../provider/core/functions/objects";
import { type Client, createClient } from "../../provider/core/http/client";
import { type ClientOptions, systemRuntime } from "../../provider/core/http/options";
import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import job from "../../provider/services/scheduler/job";
import type { StubService } from "../../testing/stub/service";
import { expectLifecycleWithoutChanges } from "../steps/lifecycle";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { startRegions } from "./servers/nomadRegions";
import { givenServer, sendRequest, Teardown } from "./servers/server";

const server = givenServer();

const REGIONS = ["east", "west"] as const;
type Region = (typeof REGIONS)[number];

const group = { Name: "main", Tasks: [{ Name: "main", Driver: "raw_exec", Config: { command: "true" } }] };

/**
 * The job `web` in a region, which is set by the property `region` or in the job document. Without a region, the
 * connection's applies.
 */
function program(region: Region | undefined, priority: number, isInDocument = false): Values {
  const own = region === undefined ? {} : isInDocument ? { Region: region } : {};
  const json = { ID: "web", Priority: priority, Datacenters: ["dc1"], TaskGroups: [group], ...own };
  return { json, purge: true, ...(region !== undefined && !isInDocument && { region }) };
}

if (server?.program !== "nomad") {
  test.skip("regions need a Nomad server", () => undefined);
} else {
  const teardown = new Teardown();
  let [addresses, token]: [readonly string[], string] = [[], ""];

  beforeAll(async () => {
    ({ addresses, token } = await startRegions(teardown, REGIONS));
  });
  afterAll(() => teardown.run());
  afterEach(async () => {
    for (const region of REGIONS)
      await sendRequest(`${addresses[0]}/v1/job/web?purge=true&region=${region}`, {
        method: "DELETE",
        headers: header(),
      });
  });

  const header = () => ({ "x-nomad-token": token });

  /** A connection to the agent of the first region. */
  function worldOf(settings: Values = {}, sent: HttpRequest[] = []): World {
    const reached = { settings: { address: addresses[0] ?? "", dialect: "real" }, runtime: systemRuntime };
    // The world uses only the address and the real time of this stub.
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
    const listing = questionOf(job);
    if (listing === undefined) throw new Error("jobs cannot be listed");
    const caller = { connection: world.connection, log: () => undefined };
    const ids: string[] = [];
    const args = { namespace: "*", ...(region !== undefined && { region }) };
    for await (const { id } of listObjects(listing, args, { size: 10 }, caller)) ids.push(id);
    return ids;
  }

  /** The job's priority on the agent of its own region, without forwarding. */
  async function priorityIn(region: Region): Promise<unknown> {
    const at = addresses[REGIONS.indexOf(region)];
    return ((await sendRequest(`${at}/v1/job/web`, { headers: header() })) as Values).Priority;
  }

  test.each([
    ["the property `region`", false],
    ["the region in the job document", true],
  ])(
    `one connection manages the same job ID in two regions by %s (${server.version})`,
    async (_, isInDocument) => {
      const world = worldOf();
      const written = REGIONS.map((region, at) => program(region, 50 + at, isInDocument));
      const resources = written.map(() => new Resource(world, job));
      for (const [at, each] of resources.entries()) await each.create(written[at] ?? {});
      expect(resources.map(({ id }) => id)).toEqual(["east@default/web", "west@default/web"]);
      for (const [at, region] of REGIONS.entries()) {
        expect(await priorityIn(region)).toBe(50 + at);
        expect(await resources[at]?.refresh()).toBe(true);
        expect(resources[at]?.preview(written[at] ?? {}).changes).toEqual([]);
        expect(await idsIn(world, region)).toEqual([`${region}@default/web`]);
        const imported = new Resource(world, job);
        await imported.get(`${region}@default/web`);
        expect([imported.id, imported.outputs.region]).toEqual([`${region}@default/web`, region]);
        expect(imported.outputs.jobModifyIndex).toBe(resources[at]?.outputs.jobModifyIndex);
        expect(imported.preview(imported.inputs).changes).toEqual([]);
      }
      expect(world.logged).toEqual([]);

      // Another user edits one of the jobs on its own agent. Only that job has drifted.
      const Job = { ...(written[1]?.json as object), Region: "west", Priority: 70 };
      await sendRequest(`${addresses[1]}/v1/jobs`, { method: "POST", headers: header(), body: { Job } });
      for (const each of resources) await each.refresh();
      expect(resources[0]?.preview(written[0] ?? {}).changes).toEqual([]);
      expect(resources[1]?.preview(written[1] ?? {}).changes.map(({ path }) => path.at(-1))).toEqual([
        "Priority",
      ]);

      await resources[0]?.delete();
      expect(await resources[0]?.refresh()).toBe(false);
      expect(await resources[1]?.refresh()).toBe(true);
      await resources[1]?.delete();
      expect(await resources[1]?.refresh()).toBe(false);
    },
  );

  test("a job without a region uses the connection's region, or else the agent's region", async () => {
    const plain = await expectLifecycleWithoutChanges(
      worldOf(),
      { definition: job },
      program(undefined, 50),
      program(undefined, 60),
    );
    const world = worldOf({ region: "west" });
    const configured = await expectLifecycleWithoutChanges(
      world,
      { definition: job },
      program(undefined, 51),
      program(undefined, 61),
    );
    expect([plain.id, plain.outputs.region]).toEqual(["default/web", "east"]);
    expect([configured.id, configured.outputs.region]).toEqual(["default/web", "west"]);
    expect([await priorityIn("east"), await priorityIn("west")]).toEqual([60, 61]);
    expect(await idsIn(world)).toEqual(["default/web"]);
    expect(await idsIn(world, "east")).toEqual(["east@default/web"]);
  });

  test("a preview requests the plan from the job's region", async () => {
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

  test("an unknown region fails with the server's error", async () => {
    const nowhere = { ...program(undefined, 50), region: "nowhere" };
    await expect(new Resource(worldOf(), job).create(nowhere)).rejects.toThrow("No path to region");
  });
}
