import { iterateFunction } from "../../../provider/core/functions/call";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { Values } from "../../../provider/core/language/object";
import { isObject, type Json } from "../../../provider/core/value/json";
import functions from "../../../provider/services/scheduler/functions";
import job from "../../../provider/services/scheduler/job";
import { StubClock } from "../../../testing/stub/clock";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { World } from "../../steps/world";

const headers = { "x-sched-token": "manager", "content-type": "application/json" };
const SECOND = 1000;

/** A mock Nomad server whose clock the test advances, and a watcher. */
class Scene {
  readonly world: World;
  readonly clock = new StubClock(() => Date.UTC(2030, 0, 1));
  readonly stop = new AbortController();

  constructor() {
    const service = new SchedulerService({
      switches: { dialect: "neutral" },
      seed: { tokens: { manager: { management: true } } },
      random: () => 0.5,
    });
    this.world = new World(service, job, { token: "manager" });
    this.world.clock = this.clock;
  }

  watch(definition: FunctionDefinition, args: Values) {
    const { connection } = this.world;
    const caller = { connection, log: () => undefined, signal: this.stop.signal };
    return iterateFunction(definition, args, caller);
  }

  async register(ID: string, Priority = 50): Promise<void> {
    const tasks = [{ Name: "t", Driver: "docker", Env: { PRIORITY: String(Priority) } }];
    const Job = { ID, Priority, TaskGroups: [{ Name: "front", Tasks: tasks }] };
    const answer = await this.world.send("POST", "/v1/jobs", { Job }, headers);
    if (answer.status >= 300) throw new Error(answer.text);
  }

  /** Advances the clock until all evaluations, placements and starts have happened. */
  async settle(): Promise<void> {
    for (let second = 0; second < 30; second++) {
      this.clock.advance(SECOND);
      await this.world.send("GET", "/v1/jobs", undefined, headers);
    }
  }
}

/** The name of a watch, its definition, its arguments, and the part of a value that identifies a state. */
const watches: readonly [string, FunctionDefinition, Values, (value: Values) => Json][] = [
  ["watchJobs", functions.watchJobs, {}, ({ jobs }) => each(jobs, ["id", "priority"])],
  [
    "watchAllocations",
    functions.watchAllocations,
    { jobId: "web" },
    ({ allocations }) => each(allocations, ["jobVersion", "desiredStatus"]),
  ],
  [
    "watchEvaluations",
    functions.watchEvaluations,
    { jobId: "web" },
    ({ evaluations }) => each(evaluations, ["jobModifyIndex", "status"]),
  ],
  [
    "watchDeployments",
    functions.watchDeployments,
    { jobId: "web" },
    ({ deployments }) => each(deployments, ["jobVersion"]),
  ],
];

function each(list: Json | undefined, members: readonly string[]): Json {
  if (!Array.isArray(list)) throw new Error("a list is yielded");
  return list.map((one) => (isObject(one) ? members.map((member) => one[member] ?? null) : one));
}

/** The part of the next value that identifies a state. */
async function nextOf(
  watching: AsyncGenerator<Json, void, void>,
  of: (value: Values) => Json,
): Promise<Json> {
  const { value } = await watching.next();
  if (!isObject(value)) throw new Error("a watch yields");
  return of(value);
}

/** Reads values until one is as expected. */
async function until(
  watching: AsyncGenerator<Json, void, void>,
  of: (value: Values) => Json,
  isThere: (shown: string) => boolean,
): Promise<void> {
  for (let reads = 0; reads < 100; reads++) {
    if (isThere(JSON.stringify(await nextOf(watching, of)))) return;
  }
  throw new Error("it is never yielded");
}

describe.each(watches)("%s", (name, definition, args, of) => {
  /** The value exists only after the second registration. */
  const isSecond = (shown: string) => (name === "watchJobs" ? shown.includes("60") : shown.includes("[1"));
  const sees = name === "watchEvaluations" ? (shown: string) => shown.split("],[").length > 1 : isSecond;

  test("yields the current list first, then the changed list", async () => {
    const scene = new Scene();
    await scene.register("web");
    await scene.settle();
    const watching = scene.watch(definition, args);
    expect(sees(JSON.stringify(await nextOf(watching, of)))).toBe(false);
    const next = until(watching, of, sees);
    await scene.register("web", 60);
    await scene.settle();
    await next;
    scene.stop.abort();
    await watching.return();
  });

  test("yields an empty list first if there is nothing, then the list with the new element", async () => {
    const scene = new Scene();
    const watching = scene.watch(definition, args);
    expect(await nextOf(watching, of)).toEqual([]);
    const next = nextOf(watching, of);
    await scene.register("web");
    await scene.settle();
    expect(await next).not.toEqual([]);
    scene.stop.abort();
    await watching.return();
  });

  test("continues after the server loses its data and its index, and after lost connections", async () => {
    const scene = new Scene();
    for (let other = 0; other < 10; other++) await scene.register(`other-${other}`);
    await scene.register("web");
    await scene.settle();
    const watching = scene.watch(definition, args);
    await nextOf(watching, of);
    const isNew = (shown: string) => shown !== "[]" && !shown.includes("other");
    const next = until(watching, of, isNew);
    scene.world.stub.reset();
    await scene.register("web", 50);
    await scene.settle();
    // The server no longer reaches the requested index, so that its response comes at the end of the wait.
    scene.clock.advance(6 * 60 * SECOND);
    await next;
    let lost = 0;
    scene.world.fate = () => (lost++ < 2 ? "request lost" : "passes");
    const again = until(watching, of, sees);
    await scene.register("web", 60);
    await scene.settle();
    await again;
    expect(lost).toBeGreaterThan(2);
    scene.stop.abort();
    await watching.return();
  });

  test("continues if the cluster loses its leader during a wait", async () => {
    const scene = new Scene();
    await scene.register("web");
    await scene.settle();
    const watching = scene.watch(definition, args);
    await nextOf(watching, of);
    const errorsSent: string[] = [];
    scene.world.fate = ({ query }) => {
      const error =
        query?.index === undefined ? undefined : ["leadership lost", "No cluster leader"][errorsSent.length];
      if (error === undefined) return "passes";
      errorsSent.push(error);
      return { answer: { status: 500, text: error }, isCarriedOut: false };
    };
    const next = until(watching, of, sees);
    await scene.register("web", 60);
    await scene.settle();
    await next;
    expect(errorsSent).not.toEqual([]);
    scene.stop.abort();
    await watching.return();
  });

  test("ends during a wait if its signal is aborted", async () => {
    const scene = new Scene();
    await scene.register("web");
    const watching = scene.watch(definition, args);
    await watching.next();
    const next = (async () => {
      for (;;) if ((await watching.next()).done) return "ended";
    })();
    scene.stop.abort();
    expect(await next).toBe("ended");
  });

  test("waits with the index of the last response, and sends only one request", async () => {
    const scene = new Scene();
    await scene.register("web");
    await scene.settle();
    const watching = scene.watch(definition, { ...args, wait: "10s" });
    await watching.next();
    const sentBefore = scene.world.requests.length;
    const next = watching.next();
    await new Promise((resolve) => setImmediate(resolve));
    const [waiting, ...otherRequests] = scene.world.requests.slice(sentBefore);
    expect(waiting?.query).toMatchObject({ index: expect.stringMatching(/^[1-9]/), wait: "10s" });
    expect(otherRequests).toEqual([]);
    scene.stop.abort();
    await next;
  });

  test.each(["1d", "soon"])("rejects a wait of %s before it sends a request", async (wait) => {
    const scene = new Scene();
    await expect(scene.watch(definition, { ...args, wait }).next()).rejects.toThrow("must be a duration");
    expect(scene.world.requests).toEqual([]);
  });

  test("fails with HTTP 403 if the token may not read the list", async () => {
    const scene = new Scene();
    scene.world.stub.seed({ tokens: { nobody: {} } });
    const other = scene.world.with({ token: "nobody" });
    const caller = { connection: other.connection, log: () => undefined };
    await expect(iterateFunction(definition, args, caller).next()).rejects.toThrow(/returned 403/);
  });
});

describe("watchJobs", () => {
  const { watchJobs } = functions;

  test("yields the jobs of all pages once, and waits with a request for one job", async () => {
    const scene = new Scene();
    for (let number = 0; number < 205; number++)
      await scene.register(`job-${String(number).padStart(3, "0")}`);
    await scene.settle();
    const watching = scene.watch(watchJobs, {});
    const { value } = await watching.next();
    const ids = each((value as { jobs: Json }).jobs, ["id"]) as string[][];
    expect(new Set(ids.flat()).size).toBe(205);
    const next = watching.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(scene.world.requests.at(-1)?.query).toMatchObject({ per_page: "1" });
    await scene.register("job-204", 60);
    expect(JSON.stringify((await next).value)).toContain('"priority":60');
    scene.stop.abort();
    await watching.return();
  });

  test("ignores changes of jobs that do not match the prefix", async () => {
    const scene = new Scene();
    await scene.register("api");
    await scene.register("web");
    await scene.settle();
    const watching = scene.watch(watchJobs, { prefix: "api" });
    await watching.next();
    const next = watching.next();
    await scene.register("web", 60);
    await scene.register("api", 70);
    expect(each(((await next).value as { jobs: Json }).jobs, ["id", "priority"])).toEqual([["api", 70]]);
    scene.stop.abort();
    await watching.return();
  });

  test("rejects a prefix together with a filter before it sends a request", async () => {
    const scene = new Scene();
    const args = { prefix: "a", filter: 'Type == "service"' };
    await expect(scene.watch(watchJobs, args).next()).rejects.toThrow("no other filter parameter");
    expect(scene.world.requests).toEqual([]);
  });
});
