import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Json } from "../../provider/core/value/json";
import job from "../../provider/services/scheduler/job";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { reset } from "./reset";
import { ask, givenServer, type Server } from "./servers/server";

const server = givenServer();

type Document = { readonly [member: string]: Json };

const task = (more: Document = {}): Document => ({
  Name: "server",
  Driver: "raw_exec",
  Config: { command: "/bin/sleep", args: ["600"] },
  Resources: { CPU: 20, MemoryMB: 16 },
  ...more,
});

const group = (more: Document = {}, ofTask: Document = {}): Document => ({
  Name: "front",
  Count: 2,
  // What changes is replaced as soon as it may be: a plan is of the first step alone.
  Update: { MaxParallel: 1, MinHealthyTime: 0, Stagger: 1_000_000_000 },
  Tasks: [task(ofTask)],
  ...more,
});

const planned = (more: Document = {}, ...groups: readonly Document[]): Document => ({
  Type: "service",
  TaskGroups: groups.length === 0 ? [group()] : [...groups],
  ...more,
});

const system: Document = { Name: "front", Tasks: [task()] };
const batch = (more: Document = {}, ...groups: readonly Document[]) =>
  planned({ Type: "batch", ...more }, ...groups);
const once = (ofTask: Document = {}): Document => ({ Name: "front", Count: 1, Tasks: [task(ofTask)] });
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the product's own interpolation
const NOWHERE = [{ LTarget: "${attr.kernel.name}", RTarget: "plan9", Operand: "=" }];

/** What is there before, if anything, and what the program writes then. */
const CHANGES: readonly (readonly [what: string, before: Document | undefined, after: Document])[] = [
  ["a new system job", undefined, planned({ Type: "system" }, system)],
  ["a new service", undefined, planned()],
  ["a new service of two groups", undefined, planned({}, group(), group({ Name: "back", Count: 1 }))],
  ["a new batch job", undefined, batch({}, once())],
  ["a new periodic job", undefined, batch({ Periodic: { Spec: "0 2 * * *" } }, once())],
  ["a new job with a constraint that no node meets", undefined, planned({ Constraints: NOWHERE })],
  [
    "a new job with a driver that no node has",
    undefined,
    planned({}, group({}, { Driver: "docker", Config: { image: "a" } })),
  ],
  [
    "a new job that is too large for any node",
    undefined,
    planned({}, group({}, { Resources: { CPU: 20, MemoryMB: 90_000_000 } })),
  ],
  ["a new job in a datacenter that is nowhere", undefined, planned({ Datacenters: ["dc9"] })],
  ["a count that goes up", planned(), planned({}, group({ Count: 4 }))],
  ["a count that goes down", planned(), planned({}, group({ Count: 1 }))],
  ["another environment of a task", planned(), planned({}, group({}, { Env: { LEVEL: "debug" } }))],
  [
    "another command of a task",
    planned(),
    planned({}, group({}, { Config: { command: "/bin/sleep", args: ["700"] } })),
  ],
  ["another memory of a task", planned(), planned({}, group({}, { Resources: { CPU: 20, MemoryMB: 32 } }))],
  ["the job's meta", planned(), planned({ Meta: { team: "orders" } })],
  ["another priority", planned(), planned({ Priority: 70 })],
  ["a time to be killed in", planned(), planned({}, group({}, { KillTimeout: 9_000_000_000 }))],
  [
    "a canary",
    planned(),
    planned({}, group({ Update: { MaxParallel: 1, Canary: 1 } }, { Env: { LEVEL: "debug" } })),
  ],
  ["a group more", planned(), planned({}, group(), group({ Name: "back", Count: 1 }))],
  ["a group less", planned({}, group(), group({ Name: "back", Count: 1 })), planned()],
  ["a constraint that no node meets any more", planned(), planned({ Constraints: NOWHERE })],
  [
    "a system job's environment",
    planned({ Type: "system" }, system),
    planned({ Type: "system" }, { ...system, Tasks: [task({ Env: { A: "b" } })] }),
  ],
  ["a batch job's environment", batch({}, once()), batch({}, once({ Env: { A: "b" } }))],
  [
    "a periodic job's hour",
    batch({ Periodic: { Spec: "0 2 * * *" } }, once()),
    batch({ Periodic: { Spec: "0 3 * * *" } }, once()),
  ],
];

/** What both say of a plan: of each group its deeds, what cannot be placed with what it is filtered by, and the next launch. */
interface Said {
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly unplaced: Readonly<
    Record<string, { readonly count: number; readonly filters: readonly string[] }>
  >;
  readonly launch: number | undefined;
}

/** The product's words for what ours calls otherwise. */
const WORDS: Readonly<Record<string, string>> = {
  destroy: "stop",
  "create/destroy update": "destructive update",
};

const deedsIn = (text: string) =>
  text
    .split(", ")
    .map((deed) => deed.replace(/(?<=^\d+ ).*/, (word) => WORDS[word] ?? word))
    .sort();

function saidByUs(lines: readonly string[]): Said {
  const text = lines.join("\n");
  const groups = [...text.matchAll(/group "([^"]+)"(?::| +) (\d+ .*)$/gm)].map(
    ([, name = "", deeds = ""]) => [name, deedsIn(deeds)] as const,
  );
  const unplaced = lines.flatMap((line) => {
    const [, count, name = ""] = /no node can take (\d+) of group "([^"]+)" now/.exec(line) ?? [];
    return count === undefined ? [] : [[name, { count: Number(count), filters: filtersIn(line) }] as const];
  });
  const [, launch] = /next launch:? +(\S+)/.exec(text) ?? [];
  return {
    groups: Object.fromEntries(groups),
    unplaced: Object.fromEntries(unplaced),
    launch: launch === undefined ? undefined : Date.parse(launch),
  };
}

/** Constraints and resources by the numbers of nodes that they keep out, whichever way that is said. */
function filtersIn(text: string): string[] {
  const ours = [...text.matchAll(/(?:constraint|resource) "(.+)" (?:filtered|exhausted on) (\d+)/gi)];
  const theirs = [...text.matchAll(/(?:Constraint|Dimension) "(.+)"(?::| exhausted on) (\d+)/g)];
  return [
    ...ours.map(([, what, count]) => `${what}: ${count}`),
    ...theirs.map(([, what, count]) => `${what}: ${count}`),
  ].sort();
}

function saidByTheProduct(text: string): Said {
  const groups = [...text.matchAll(/Task Group: "([^"]+)" \((.*)\)$/gm)].map(
    ([, name = "", deeds = ""]) => [name, deedsIn(deeds)] as const,
  );
  const [, failures = ""] = /WARNING: Failed to place([\s\S]*)/.exec(text) ?? [];
  const unplaced = failures.split(/(?=Task Group ")/).flatMap((part) => {
    const [, name = "", count] = /Task Group "([^"]+)" \(failed to place (\d+)/.exec(part) ?? [];
    return count === undefined ? [] : [[name, { count: Number(count), filters: filtersIn(part) }] as const];
  });
  const [, launch] = /next periodic launch would be at (\S+)/.exec(text) ?? [];
  return {
    groups: Object.fromEntries(groups),
    unplaced: Object.fromEntries(unplaced),
    launch: launch === undefined ? undefined : Date.parse(launch),
  };
}

const run = promisify(execFile);

/** What the product's own command prints of a job; it ends with 1 where anything would be started or ended. */
async function printed({ address, token }: Server, document: Document, folder: string): Promise<string> {
  const file = join(folder, "job.json");
  writeFileSync(file, JSON.stringify({ Job: document }));
  const env = { ...process.env, NOMAD_ADDR: address, NOMAD_TOKEN: token, NO_COLOR: "1", TZ: "UTC" };
  const args = ["job", "plan", "-no-color", "-json", file];
  const { stdout } = await run("nomad", args, { env, timeout: 60_000 }).catch(
    (error: { code?: unknown; stdout?: string; stderr?: string }) => {
      if (error.code !== 1 || error.stderr) throw new Error(`${error.stdout}${error.stderr}`);
      return { stdout: error.stdout ?? "" };
    },
  );
  return stdout;
}

/** Waits until whatever the scheduler is to do for a job runs. */
async function settled({ address, token }: Server, id: string, count: number): Promise<void> {
  const headers = { "x-nomad-token": token };
  for (let tries = 0; tries < 200; tries++) {
    // The endpoint answers a list of such objects.
    const found = (await ask(`${address}/v1/job/${id}/allocations`, { headers })) as {
      ClientStatus: string;
    }[];
    if (found.filter(({ ClientStatus }) => ClientStatus === "running").length >= count) return;
    await delay(100);
  }
  throw new Error("the job does not run");
}

function countOf({ Type: type, Periodic: periodic, TaskGroups: groups }: Document): number {
  if (periodic !== undefined) return 0;
  return (groups as unknown as readonly { Count?: number }[]).reduce(
    (sum, { Count: count = 1 }) => sum + (type === "system" ? 1 : count),
    0,
  );
}

if (server?.program !== "nomad") {
  test.skip("no plan is compared with the product's own: no scheduler was started", () => undefined);
} else {
  describe(`a preview says what ${server.version} prints of its plan`, () => {
    let folder: string;

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), "quarterdeck-plan-"));
      await reset();
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    // What an earlier job of the same id has left behind is of no plan.
    const changes = CHANGES.map(([what, before, after], number) => {
      const ID = `planned-${number}`;
      return [what, ID, before && { ...before, ID }, { ...after, ID }] as const;
    });

    test.each(changes)("of %s", async (_, id, before, after) => {
      const world = new World(new SchedulerService({ switches: { dialect: "neutral" } }), job, {
        token: server.token,
        dialect: "real",
      });
      const resource = new Resource(world, job);
      if (before !== undefined) {
        await resource.create({ json: before, purge: true });
        await settled(server, id, countOf(before));
      }
      world.logged.length = 0;
      world.requests.length = 0;
      await resource.forecast({ json: after, purge: true });
      expect(world.requests.map(({ method }) => method)).toEqual(["POST"]);
      const text = await printed(server, after, folder);
      const [ours, theirs] = [saidByUs(world.logged), saidByTheProduct(text)];
      // The product prints the groups that differ.
      expect(ours.groups).toMatchObject(theirs.groups);
      expect(Object.keys(theirs.groups).length + Object.keys(theirs.unplaced).length).toBeGreaterThan(0);
      expect(ours.unplaced).toEqual(theirs.unplaced);
      expect(ours.launch).toBe(theirs.launch);
    });
  });
}
