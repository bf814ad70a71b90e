import { callFunction, iterateFunction } from "../../../provider/core/functions/call";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import functions from "../../../provider/services/scheduler/functions";
import job from "../../../provider/services/scheduler/job";
import { and, selector } from "../../../sdk/filter";
import { StubClock } from "../../../testing/stub/clock";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { Resource } from "../../steps/resource";
import { World } from "../../steps/world";
import { expectNoChanges } from "../expectations";

const SEED = { tokens: { manager: { management: true } }, namespaces: ["default", "team"] };
const headers = {
  "x-sched-token": "manager",
  "x-nomad-token": "manager",
  "content-type": "application/json",
};
const START = Date.UTC(2030, 0, 1);

class Caller {
  readonly world: World;
  readonly clock = new StubClock(() => START);

  constructor(settings: Values = {}, tokens: { [token: string]: Json } = {}, switches: Values = {}) {
    const seed = { ...SEED, tokens: { ...SEED.tokens, ...tokens } };
    const service = new SchedulerService({
      seed,
      random: () => 0.5,
      switches: { dialect: "neutral", ...switches },
    });
    this.world = new World(service, job, { token: "manager", ...settings });
    this.world.clock = this.clock;
  }

  private get caller() {
    return { connection: this.world.connection, log: () => undefined };
  }

  async call(definition: FunctionDefinition, args: Values): Promise<Values> {
    return (await callFunction(definition, args, this.caller)).result;
  }

  isSecret = async (definition: FunctionDefinition, args: Values) =>
    (await callFunction(definition, args, this.caller)).isSecret;

  watch(args: Values, signal: AbortSignal) {
    return iterateFunction(functions.watchJob, args, { ...this.caller, signal });
  }

  each(args: Values) {
    return iterateFunction(functions.getJobs, args, this.caller);
  }

  async register(ID: string, more: { [member: string]: Json } = {}, namespace = "default"): Promise<void> {
    const own = { ID, TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }], ...more };
    const { Submission, ...rest } = own as { [member: string]: Json };
    const body = { Job: { ...rest, Namespace: namespace }, ...(Submission !== undefined && { Submission }) };
    const answer = await this.world.send("POST", `/v1/jobs?namespace=${namespace}`, body, headers);
    if (answer.status >= 300) throw new Error(answer.text);
  }
}

const idsIn = ({ jobs }: Values) => (jobs as { ID: string }[]).map(({ ID }) => ID);

describe("getJob", () => {
  test("returns the stored job and the metadata in the response headers", async () => {
    const caller = new Caller();
    await caller.register("web", { Priority: 70 });
    expect(await caller.call(functions.getJob, { jobId: "web" })).toMatchObject({
      job: { ID: "web", Priority: 70 },
      index: expect.stringMatching(/^\d+$/),
      knownLeader: true,
      lastContact: 0,
    });
  });

  test("reports a missing job as 404 without token advice; a lack of permission would return 403", async () => {
    const failure = String(await new Caller().call(functions.getJob, { jobId: "nope" }).catch(String));
    expect(failure).toContain("returned 404: job not found. Check the name, the namespace and the address.");
    expect(failure).not.toContain("token");
  });

  test("waits for a change after an index", async () => {
    const caller = new Caller();
    await caller.register("web");
    const { index = "" } = await caller.call(functions.getJob, { jobId: "web" });
    const waiting = caller.call(functions.getJob, { jobId: "web", index, wait: "1m" });
    await caller.register("web", { Priority: 80 });
    expect(await waiting).toMatchObject({ job: { Priority: 80 } });
  });

  test.each(["1d", "soon", "-5s"])("rejects a wait of %s before it sends a request", async (wait) => {
    const caller = new Caller();
    await expect(caller.call(functions.getJob, { jobId: "web", index: "1", wait })).rejects.toThrow(
      "wait: given",
    );
    expect(caller.world.requests).toEqual([]);
  });

  test("uses the namespace and region of the connection, unless the arguments differ", async () => {
    const caller = new Caller({ namespace: "team", region: "global" });
    await caller.register("web", {}, "team");
    expect(await caller.call(functions.getJob, { jobId: "web", stale: true })).toMatchObject({
      job: { ID: "web" },
    });
    expect(caller.world.requests[0]?.query).toEqual({ namespace: "team", region: "global", stale: "true" });
    const own = { jobId: "web", namespace: "default" };
    await expect(caller.call(functions.getJob, own)).rejects.toThrow("job not found");
  });

  test("marks a job with a token as secret, but not a job without one", async () => {
    const caller = new Caller();
    await caller.register("plain");
    await caller.register("web", { SecretsToken: "canary" });
    expect(await caller.isSecret(functions.getJob, { jobId: "web" })).toBe(true);
    expect(await caller.isSecret(functions.getJobVersions, { jobId: "web" })).toBe(true);
    expect(await caller.isSecret(functions.getJob, { jobId: "plain" })).toBe(false);
    expect(await caller.isSecret(functions.getJobVersions, { jobId: "plain" })).toBe(false);
  });
});

describe("getJobs", () => {
  test("returns the jobs of all pages and the metadata of the response", async () => {
    const caller = new Caller();
    for (let number = 0; number < 230; number++)
      await caller.register(`job-${String(number).padStart(3, "0")}`);
    const found = await caller.call(functions.getJobs, {});
    expect(idsIn(found)).toHaveLength(230);
    expect(found).toMatchObject({ index: expect.stringMatching(/^\d+$/), knownLeader: true });
    expect(caller.world.requests).toHaveLength(3);
  });

  test("yields jobs one by one, and requests a page when its first job is read", async () => {
    const caller = new Caller();
    for (let number = 0; number < 130; number++)
      await caller.register(`job-${String(number).padStart(3, "0")}`);
    const all = caller.each({});
    for (let number = 0; number < 100; number++) await all.next();
    expect(caller.world.requests).toHaveLength(1);
    await all.next();
    expect(caller.world.requests).toHaveLength(2);
    await all.return();
  });

  test("supports a prefix, a filter, all namespaces, meta and reverse order", async () => {
    const caller = new Caller();
    await caller.register("web", { Meta: { "owner team": "a" } });
    await caller.register("worker", { Type: "batch" });
    await caller.register("api", {}, "team");
    expect(idsIn(await caller.call(functions.getJobs, { prefix: "w" }))).toEqual(["web", "worker"]);
    // The defaults of both arguments.
    const every = idsIn(await caller.call(functions.getJobs, {}));
    expect(idsIn(await caller.call(functions.getJobs, { prefix: "", filter: "" }))).toEqual(every);
    const filter = String(
      and(selector("Type").equals("service"), selector("Meta", "owner team").equals("a")),
    );
    const found = await caller.call(functions.getJobs, { filter, meta: true });
    expect(found.jobs).toMatchObject([{ ID: "web", Meta: { "owner team": "a" } }]);
    expect(idsIn(await caller.call(functions.getJobs, { namespace: "*" })).sort()).toEqual([
      "api",
      "web",
      "worker",
    ]);
    expect(idsIn(await caller.call(functions.getJobs, { reverse: true }))).toEqual(["worker", "web"]);
  });

  test("rejects a filter together with a prefix before it sends a request", async () => {
    const caller = new Caller();
    const args = { filter: 'Type == "service"', prefix: "w" };
    await expect(caller.call(functions.getJobs, args)).rejects.toThrow("cannot be combined with prefix");
    expect(caller.world.requests).toEqual([]);
  });

  test("waits for a change after an index, and then returns the complete list", async () => {
    const caller = new Caller();
    await caller.register("web");
    const { index = "" } = await caller.call(functions.getJobs, {});
    const waiting = caller.call(functions.getJobs, { index });
    await caller.register("api");
    expect(idsIn(await waiting)).toEqual(["api", "web"]);
    expect(caller.world.requests.map(({ query }) => query?.index)).toEqual([undefined, index, undefined]);
  });

  test("does not wait with index 0, and never sends it", async () => {
    const caller = new Caller();
    await caller.register("web");
    expect(idsIn(await caller.call(functions.getJobs, { index: "0", wait: "10m" }))).toEqual(["web"]);
    expect(await caller.call(functions.getJob, { jobId: "web", index: "0" })).toMatchObject({ job: {} });
    for (const { query } of caller.world.requests) expect(Object.keys(query ?? {})).not.toContain("index");
    expect(caller.world.requests).toHaveLength(2);
  });

  test("rejects an invalid filter before it waits", async () => {
    const caller = new Caller();
    await caller.register("web");
    const { index = "" } = await caller.call(functions.getJobs, {});
    await expect(caller.call(functions.getJobs, { index, filter: "Nope == 1" })).rejects.toThrow(
      /returned 400.*error finding value in datum/s,
    );
  });
});

/** The column "ACL" of the endpoints (specification: Jobs). */
describe("the ACL capabilities of the job functions", () => {
  const CAPABILITIES = ["list-jobs", "read-job", "submit-job", "parse-job"];

  /** Calls a function with these capabilities on a server with the registered job `web`. */
  async function callWith(capabilities: string[], name: keyof typeof functions): Promise<unknown> {
    const caller = new Caller({ token: "clerk" }, { clerk: { namespaces: { default: capabilities } } });
    await caller.register("web");
    const args = { getJobs: {}, parseJob: { hcl: 'job "web" {}' } }[name as string] ?? { jobId: "web" };
    if (name !== "watchJob") return caller.call(functions[name], args);
    return caller.watch(args, new AbortController().signal).next();
  }

  test.each<[keyof typeof functions, string[]]>([
    ["getJob", ["read-job"]],
    ["watchJob", ["read-job"]],
    ["getJobs", ["list-jobs"]],
    ["parseJob", ["parse-job", "submit-job"]],
    ["getJobVersions", ["read-job"]],
    ["getJobAllocations", ["read-job"]],
    ["getJobEvaluations", ["read-job"]],
    ["getJobDeployments", ["read-job"]],
  ])("%s requires exactly %j, and its documentation lists them", async (name, needed) => {
    for (const capability of needed) {
      expect(functions[name].doc).toContain(`\`namespace:${capability}\``);
      const otherCapabilities = CAPABILITIES.filter((other) => other !== capability);
      await expect(callWith(otherCapabilities, name)).rejects.toThrow("Permission denied");
    }
    await expect(callWith(needed, name)).resolves.toBeDefined();
  });
});

describe("the results of the job functions", () => {
  const scaled = {
    TaskGroups: [
      {
        Name: "g",
        Tasks: [{ Name: "t", Driver: "docker", Config: { CreateIndex: 3 } }],
        Scaling: { Min: 1, Max: 3 },
        RestartPolicy: { Interval: 17_280_000_000_000_000, Attempts: 1, Delay: 1, Mode: "fail" },
      },
    ],
  };
  const argumentsFor: Readonly<Record<string, Values>> = {
    getJobs: {},
    getJobStubs: {},
    parseJob: { hcl: 'job "web" {}' },
    getNamespaces: {},
    getNodePools: {},
    getVariable: { path: "app" },
    getRegions: {},
    getNodes: {},
  };

  test.each(
    Object.entries(functions)
      .filter(([name, { asks }]) => asks.kind !== "watch" && name !== "getJobSubmission")
      .map(([name, definition]) => [name, definition] as const),
  )("are plain JSON with every index as a string: %s", async (name, definition) => {
    const caller = new Caller();
    await caller.register("web", scaled);
    await caller.world.send("POST", "/v1/var/app", { Items: { key: "value" } }, headers);
    caller.clock.advance(60_000);
    const text = JSON.stringify(await caller.call(definition, argumentsFor[name] ?? { jobId: "web" }));
    expect(text.match(/"\w*[iI]ndex":\d+/g) ?? []).toEqual(name === "parseJob" ? [] : driverNumbersIn(text));
  });

  /** A number in the config of a driver, which stays a number. */
  const driverNumbersIn = (text: string) =>
    text.includes('"Config":{') ? text.match(/"CreateIndex":3/g) : [];

  test("are also plain JSON if they are yielded", async () => {
    const caller = new Caller();
    await caller.register("web", scaled);
    const stop = new AbortController();
    const watched = await caller.watch({ jobId: "web" }, stop.signal).next();
    stop.abort();
    const listed = await caller.each({}).next();
    expect([watched.value, listed.value]).toMatchObject([
      { job: { CreateIndex: expect.any(String), SubmitTime: expect.any(String) } },
      { CreateIndex: expect.any(String), JobSummary: { ModifyIndex: expect.any(String) } },
    ]);
  });
});

describe("a job returned by getJob", () => {
  test.each([
    ["shows no changes", {}],
    ["is registered if the program changes it", { Priority: 60 }],
  ])("can be used as json, and %s", async (_, edit) => {
    const caller = new Caller();
    const resource = new Resource(caller.world, job);
    const unsafeInteger = 17_280_000_000_000_001n;
    const group = { Name: "g", Count: 1, Scaling: { Min: 1, Max: 3 }, MaxClientDisconnect: unsafeInteger };
    const json = { ID: "web", TaskGroups: [{ ...group, Tasks: [{ Name: "t", Driver: "docker" }] }] };
    await resource.create({ json });
    const { job: held } = await caller.call(functions.getJob, { jobId: "web" });
    const given = { json: { ...Object(held), ...edit } };
    expect(resource.preview(given).changes).toHaveLength(Object.keys(edit).length);
    await resource.up(given);
    await expectNoChanges(resource, given);
    await resource.delete();
    const again = new Resource(caller.world, job);
    await again.create(given);
    expect(again.preview(given).changes).toEqual([]);
  });
});

describe("stored data of a job", () => {
  test("getJobVersions returns the versions, newest first, and their diffs only on request", async () => {
    const caller = new Caller();
    await caller.register("web");
    await caller.register("web", { Priority: 70 });
    const plain = await caller.call(functions.getJobVersions, { jobId: "web" });
    expect(plain.versions).toMatchObject([{ Version: 1, Priority: 70 }, { Version: 0 }]);
    expect(plain.diffs).toBeUndefined();
    const { diffs } = await caller.call(functions.getJobVersions, { jobId: "web", diffs: true });
    expect(diffs).toMatchObject([{ Type: "Edited", ID: "web" }]);
  });

  test.each([
    ["getJobAllocations", "allocations"],
    ["getJobEvaluations", "evaluations"],
    ["getJobDeployments", "deployments"],
  ] as const)("%s returns the %s of the job", async (name, property) => {
    const caller = new Caller();
    await caller.register("web");
    caller.clock.advance(60_000);
    const found = await caller.call(functions[name], { jobId: "web" });
    expect(found[property]).toMatchObject([{ JobID: "web" }]);
    expect(found.index).toMatch(/^\d+$/);
  });

  test.each([
    ["getJobAllocations", "allocations"],
    ["getJobDeployments", "deployments"],
  ] as const)("%s returns %s of an earlier registration only with all: true", async (name, property) => {
    const caller = new Caller();
    await caller.register("web");
    caller.clock.advance(60_000);
    await caller.world.send("DELETE", "/v1/job/web?purge=true", undefined, headers);
    await caller.register("web");
    caller.clock.advance(60_000);
    const countOf = async (args: Values) =>
      ((await caller.call(functions[name], { jobId: "web", ...args }))[property] as Json[]).length;
    expect(await countOf({ all: true })).toBeGreaterThan(await countOf({}));
  });

  test("getJobSubmission returns the submitted text with the variables as given", async () => {
    const caller = new Caller();
    const Submission = {
      Source: 'job "web" {}',
      Format: "hcl2",
      VariableFlags: { image: "web:1 & more" },
      Variables: "a = 1",
    };
    await caller.register("web", { Submission });
    expect(await caller.call(functions.getJobSubmission, { jobId: "web", version: 0 })).toEqual({
      format: "hcl2",
      source: 'job "web" {}',
      variableFlags: { image: "web:1 & more" },
      variables: "a = 1",
      version: 0,
      jobIndex: expect.stringMatching(/^\d+$/),
      jobId: "web",
      namespace: "default",
    });
  });

  test.each(["neutral", "real"])(
    "getJobSubmission decodes the variable flags once and returns the index (%s dialect)",
    async (dialect) => {
      const caller = new Caller({ dialect }, {}, { dialect });
      const VariableFlags = { image: "web%3A1 +%252B" };
      const Submission = { Source: 'job "web" {}', Format: "hcl2", VariableFlags };
      await caller.register("web", { Submission });
      const { index } = await caller.call(functions.getJob, { jobId: "web" });
      expect(await caller.call(functions.getJobSubmission, { jobId: "web", version: 0 })).toMatchObject({
        variableFlags: VariableFlags,
        jobIndex: index,
      });
    },
  );

  test("getJobSubmission marks a text that contains a token as secret", async () => {
    const caller = new Caller();
    const args = { jobId: "web", version: 0 };
    await caller.register("web", { Submission: { Source: '{"SecretsToken": "canary"}', Format: "json" } });
    expect(await caller.isSecret(functions.getJobSubmission, args)).toBe(true);
  });
});

test("parseJob converts HCL to a job, and registers nothing", async () => {
  const caller = new Caller();
  const hcl = [
    'variable "image" {',
    "  type = string",
    "}",
    'job "web" {',
    '  group "g" {',
    '    task "t" {',
    '      driver = "docker"',
    "      config {",
    "        image = var.image",
    "      }",
    "    }",
    "  }",
    "}",
  ].join("\n");
  const { job: parsed } = await caller.call(functions.parseJob, { hcl, variables: 'image = "web:1"' });
  expect(await caller.call(functions.parseJob, { hcl, variables: { image: "web:1" } })).toEqual({
    job: parsed,
  });
  expect(parsed).toMatchObject({ ID: "web", TaskGroups: [{ Name: "g" }] });
  expect(idsIn(await caller.call(functions.getJobs, {}))).toEqual([]);
  await expect(caller.call(functions.parseJob, { hcl: "job {" })).rejects.toThrow(/returned 400.*parse/s);
});

describe("watchJob", () => {
  test("continues after a restart that resets the index, and after lost connections", async () => {
    const caller = new Caller();
    const stop = new AbortController();
    const seen: (number | undefined)[] = [];
    for (let round = 0; round < 20; round++) await caller.register(`other-${round}`);
    await caller.register("web", { Priority: 50 });
    let lost = 0;
    const actions = [
      async () => {
        // The server loses its data and restarts with a smaller index; two requests are lost.
        caller.world.stub.reset();
        caller.world.fate = () => (lost++ < 2 ? "request lost" : "passes");
        await caller.register("web", { Priority: 60 });
      },
      () => caller.register("web", { Priority: 70 }),
      async () => stop.abort(),
    ];
    for await (const { job: found } of caller.watch({ jobId: "web" }, stop.signal) as AsyncGenerator<{
      job?: { Priority: number };
    }>) {
      if (found?.Priority === undefined || seen.includes(found.Priority)) continue;
      seen.push(found.Priority);
      await actions.shift()?.();
    }
    expect(seen).toEqual([50, 60, 70]);
    expect(lost).toBeGreaterThan(2);
  });

  test.each(["1d", "soon"])("rejects a wait of %s before it sends a request", async (wait) => {
    const caller = new Caller();
    const { signal } = new AbortController();
    await expect(caller.watch({ jobId: "web", wait }, signal).next()).rejects.toThrow("must be a duration");
    expect(caller.world.requests).toEqual([]);
  });

  test("yields the current job, then each change, including a purge and a new registration", async () => {
    const caller = new Caller();
    const stop = new AbortController();
    const seen: (number | undefined)[] = [];
    await caller.register("web", { Priority: 50 });
    const actions = [
      () => caller.register("web", { Priority: 60 }),
      () => caller.world.send("DELETE", "/v1/job/web?purge=true", undefined, headers),
      () => caller.register("web", { Priority: 70 }),
      async () => stop.abort(),
    ];
    for await (const { job: found } of caller.watch({ jobId: "web" }, stop.signal) as AsyncGenerator<{
      job?: { Priority: number };
    }>) {
      seen.push(found?.Priority);
      await actions.shift()?.();
    }
    expect(seen.filter((value, index) => value !== seen[index - 1] || index === 0)).toEqual([
      50,
      60,
      undefined,
      70,
    ]);
  });
});
