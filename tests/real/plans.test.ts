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
import { givenServer, type Server, sendRequest } from "./servers/server";

const server = givenServer();

type Document = { readonly [member: string]: Json };

const task = (more: Document = {}): Document => ({
  Name: "server",
  Driver: "raw_exec",
  Config: { command: "/bin/sleep", args: ["600"] },
  Resources: { CPU: 20, MemoryMB: 16 },
  ...more,
});

const group = (more: Document = {}, taskFields: Document = {}): Document => ({
  Name: "front",
  Count: 2,
  // Changed tasks are replaced as soon as possible, because a plan covers only the first step.
  Update: { MaxParallel: 1, MinHealthyTime: 0, Stagger: 1_000_000_000 },
  Tasks: [task(taskFields)],
  ...more,
});

const service = (more: Document = {}, ...groups: readonly Document[]): Document => ({
  Type: "service",
  TaskGroups: groups.length === 0 ? [group()] : [...groups],
  ...more,
});

const system: Document = { Name: "front", Tasks: [task()] };
const batch = (more: Document = {}, ...groups: readonly Document[]) =>
  service({ Type: "batch", ...more }, ...groups);
const once = (ofTask: Document = {}): Document => ({ Name: "front", Count: 1, Tasks: [task(ofTask)] });
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is Nomad's own interpolation
const UNMET_CONSTRAINT = [{ LTarget: "${attr.kernel.name}", RTarget: "plan9", Operand: "=" }];

/** The registered job, if any, and the job that the program writes. */
const CHANGES: readonly (readonly [what: string, before: Document | undefined, after: Document])[] = [
  ["a new system job", undefined, service({ Type: "system" }, system)],
  ["a new service", undefined, service()],
  ["a new service with two groups", undefined, service({}, group(), group({ Name: "back", Count: 1 }))],
  ["a new batch job", undefined, batch({}, once())],
  ["a new periodic job", undefined, batch({ Periodic: { Spec: "0 2 * * *" } }, once())],
  ["a new job with a constraint that no node meets", undefined, service({ Constraints: UNMET_CONSTRAINT })],
  [
    "a new job with a driver that no node has",
    undefined,
    service({}, group({}, { Driver: "docker", Config: { image: "a" } })),
  ],
  [
    "a new job that is too large for any node",
    undefined,
    service({}, group({}, { Resources: { CPU: 20, MemoryMB: 90_000_000 } })),
  ],
  ["a new job in an unknown datacenter", undefined, service({ Datacenters: ["dc9"] })],
  ["a higher count", service(), service({}, group({ Count: 4 }))],
  ["a lower count", service(), service({}, group({ Count: 1 }))],
  ["a changed environment of a task", service(), service({}, group({}, { Env: { LEVEL: "debug" } }))],
  [
    "a changed command of a task",
    service(),
    service({}, group({}, { Config: { command: "/bin/sleep", args: ["700"] } })),
  ],
  ["a changed memory of a task", service(), service({}, group({}, { Resources: { CPU: 20, MemoryMB: 32 } }))],
  ["a changed meta of the job", service(), service({ Meta: { team: "orders" } })],
  ["a changed priority", service(), service({ Priority: 70 })],
  ["a kill timeout", service(), service({}, group({}, { KillTimeout: 9_000_000_000 }))],
  [
    "a canary",
    service(),
    service({}, group({ Update: { MaxParallel: 1, Canary: 1 } }, { Env: { LEVEL: "debug" } })),
  ],
  ["an additional group", service(), service({}, group(), group({ Name: "back", Count: 1 }))],
  ["a removed group", service({}, group(), group({ Name: "back", Count: 1 })), service()],
  ["an added constraint that no node meets", service(), service({ Constraints: UNMET_CONSTRAINT })],
  [
    "a changed environment of a system job",
    service({ Type: "system" }, system),
    service({ Type: "system" }, { ...system, Tasks: [task({ Env: { A: "b" } })] }),
  ],
  ["a changed environment of a batch job", batch({}, once()), batch({}, once({ Env: { A: "b" } }))],
  [
    "a changed hour of a periodic job",
    batch({ Periodic: { Spec: "0 2 * * *" } }, once()),
    batch({ Periodic: { Spec: "0 3 * * *" } }, once()),
  ],
];

/**
 * The content of a plan: the changes of each group, the allocations that cannot be placed with their filters, and the
 * next launch.
 */
interface PlanSummary {
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly unplaced: Readonly<
    Record<string, { readonly count: number; readonly filters: readonly string[] }>
  >;
  readonly launch: number | undefined;
}

/** Nomad's terms, if they differ from ours. */
const NOMAD_TERMS: Readonly<Record<string, string>> = {
  destroy: "stop",
  "create/destroy update": "destructive update",
};

const changesIn = (text: string) =>
  text
    .split(", ")
    .map((change) => change.replace(/(?<=^\d+ ).*/, (word) => NOMAD_TERMS[word] ?? word))
    .sort();

function parseOurPlan(lines: readonly string[]): PlanSummary {
  const text = lines.join("\n");
  const groups = [...text.matchAll(/group "([^"]+)"(?::| +) (\d+ .*)$/gm)].map(
    ([, name = "", changes = ""]) => [name, changesIn(changes)] as const,
  );
  const unplaced = lines.flatMap((line) => {
    const [, count, name = ""] =
      /(\d+) allocations? of group "([^"]+)" cannot be placed now/.exec(line) ?? [];
    return count === undefined ? [] : [[name, { count: Number(count), filters: filtersIn(line) }] as const];
  });
  const [, launch] = /next launch:? +(\S+)/.exec(text) ?? [];
  return {
    groups: Object.fromEntries(groups),
    unplaced: Object.fromEntries(unplaced),
    launch: launch === undefined ? undefined : Date.parse(launch),
  };
}

/** The constraints and resources that exclude nodes, with the number of nodes, in either format. */
function filtersIn(text: string): string[] {
  const ours = [...text.matchAll(/(?:constraint|resource) "(.+)" (?:filtered|exhausted on) (\d+)/gi)];
  const theirs = [...text.matchAll(/(?:Constraint|Dimension) "(.+)"(?::| exhausted on) (\d+)/g)];
  return [
    ...ours.map(([, what, count]) => `${what}: ${count}`),
    ...theirs.map(([, what, count]) => `${what}: ${count}`),
  ].sort();
}

function parseNomadPlan(text: string): PlanSummary {
  const groups = [...text.matchAll(/Task Group: "([^"]+)" \((.*)\)$/gm)].map(
    ([, name = "", changes = ""]) => [name, changesIn(changes)] as const,
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

/** The output of `nomad job plan`, which exits with 1 if it would create or destroy allocations. */
async function nomadJobPlan({ address, token }: Server, document: Document, folder: string): Promise<string> {
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

/** Waits until the allocations of a job run. */
async function waitUntilRunning({ address, token }: Server, id: string, count: number): Promise<void> {
  const headers = { "x-nomad-token": token };
  for (let tries = 0; tries < 200; tries++) {
    // The endpoint returns a list of such objects.
    const found = (await sendRequest(`${address}/v1/job/${id}/allocations`, { headers })) as {
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
  test.skip("plans are compared only with a Nomad server", () => undefined);
} else {
  describe(`a preview reports the same plan as nomad job plan (${server.version})`, () => {
    let folder: string;

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), "quarterdeck-plan-"));
      await reset();
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    // Each job has a different ID, so that no plan contains the allocations of an earlier job.
    const changes = CHANGES.map(([what, before, after], number) => {
      const ID = `planned-${number}`;
      return [what, ID, before && { ...before, ID }, { ...after, ID }] as const;
    });

    test.each(changes)("for %s", async (_, id, before, after) => {
      const world = new World(new SchedulerService({ switches: { dialect: "neutral" } }), job, {
        token: server.token,
        dialect: "real",
      });
      const resource = new Resource(world, job);
      if (before !== undefined) {
        await resource.create({ json: before, purge: true });
        await waitUntilRunning(server, id, countOf(before));
      }
      world.logged.length = 0;
      world.requests.length = 0;
      await resource.forecast({ json: after, purge: true });
      expect(world.requests.map(({ method }) => method)).toEqual(["POST"]);
      const text = await nomadJobPlan(server, after, folder);
      const [ours, theirs] = [parseOurPlan(world.logged), parseNomadPlan(text)];
      // Nomad prints only the groups that differ.
      expect(ours.groups).toMatchObject(theirs.groups);
      expect(Object.keys(theirs.groups).length + Object.keys(theirs.unplaced).length).toBeGreaterThan(0);
      expect(ours.unplaced).toEqual(theirs.unplaced);
      expect(ours.launch).toBe(theirs.launch);
    });
  });
}
