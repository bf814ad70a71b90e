import { callFunction, iterateFunction } from "../../../provider/core/functions/call";
import type { Json } from "../../../provider/core/value/json";
import functions from "../../../provider/services/scheduler/functions";
import job from "../../../provider/services/scheduler/job";
import { StubClock } from "../../../testing/stub/clock";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { rounds } from "../../rounds";
import { World } from "../../steps/world";

const JOBS = 100;
const CHANGES = rounds(10_000, 250);
/** After this many changes the watchers can read; in between, changes are faster than they are. */
const BURST = 250;
const headers = { "x-sched-token": "manager", "content-type": "application/json" };

function scheduler() {
  const service = new SchedulerService({
    switches: { dialect: "neutral" },
    seed: { tokens: { manager: { management: true } } },
    random: () => 0.5,
  });
  const world = new World(service, job, { token: "manager" });
  world.clock = new StubClock(() => Date.UTC(2030, 0, 1));
  return world;
}

async function register(world: World, ID: string, round: number): Promise<void> {
  const own = {
    ID,
    // Such a job runs nothing, so that only a registration changes it.
    Type: "batch",
    ParameterizedJob: { Payload: "optional" },
    Meta: { round: String(round) },
    TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }],
  };
  const answer = await world.send("POST", "/v1/jobs", { Job: own }, headers);
  if (answer.status >= 300) throw new Error(answer.text);
}

const letWatchersRead = () => new Promise((resolve) => setImmediate(resolve));

test("watchJob yields the last state of each of 100 jobs that change quickly", async () => {
  const world = scheduler();
  const names = Array.from({ length: JOBS }, (_, number) => `job-${number}`);
  for (const name of names) await register(world, name, 0);
  const stop = new AbortController();
  const seen = new Map<string, string>();
  const watching = names.map(async (jobId) => {
    const caller = { connection: world.connection, log: () => undefined, signal: stop.signal };
    for await (const found of iterateFunction(functions.watchJob, { jobId }, caller)) {
      // The function returns a job in the names of Nomad's API.
      const { job: now } = found as { job?: { Meta?: { round?: string } } };
      seen.set(jobId, now?.Meta?.round ?? "");
    }
  });
  const last = new Map<string, string>();
  for (let change = 1; change <= CHANGES; change++) {
    const name = names[(change * 37) % JOBS] ?? "";
    await register(world, name, change);
    last.set(name, String(change));
    if (change % BURST === 0) await letWatchersRead();
  }
  for (let turn = 0; turn < 50; turn++) await letWatchersRead();
  expect([...seen].sort()).toEqual([...last].sort());
  stop.abort();
  await Promise.all(watching);
}, 300_000);

describe("elapsed time", () => {
  const MINUTE = 60_000;

  /** A mock Nomad server whose clock the test advances, and a caller. */
  function scene() {
    const world = scheduler();
    const clock = new StubClock(() => Date.UTC(2030, 0, 1));
    world.clock = clock;
    const stop = new AbortController();
    const caller = { connection: world.connection, log: () => undefined, signal: stop.signal };
    return { world, clock, stop, caller };
  }

  test("a watch continues if its connection breaks after more than a minute", async () => {
    const { world, clock, stop, caller } = scene();
    await register(world, "web", 1);
    const watching = iterateFunction(functions.watchJob, { jobId: "web" }, caller);
    await watching.next();
    let lost = 0;
    world.fate = async () => {
      if (lost > 0) return "passes";
      lost += 1;
      clock.advance(1.5 * MINUTE);
      await register(world, "web", 2);
      return "response lost";
    };
    expect(await watching.next()).toMatchObject({ value: { job: { Meta: { round: "2" } } } });
    stop.abort();
    await watching.return();
  });

  test("the wait for a change does not count against the timeout of a list", async () => {
    const { world, clock, caller } = scene();
    await register(world, "web", 1);
    const before = await callFunction(functions.getJobs, {}, caller);
    world.onResponse = ({ query }) => {
      if (query?.index !== undefined) clock.advance(2 * MINUTE);
    };
    await register(world, "api", 1);
    const args = { index: String(before.result.index), wait: "5m" };
    const { result } = await callFunction(functions.getJobs, args, caller);
    expect(result.jobs).toMatchObject([{ ID: "api" }, { ID: "web" }]);
  });

  test("the time between two pages of a list does not count against the timeout of the next page", async () => {
    const { world, clock, caller } = scene();
    for (let job = 0; job < 101; job++) await register(world, `job-${job}`, 1);
    const seen: Json[] = [];
    for await (const job of iterateFunction(functions.getJobs, {}, caller)) {
      seen.push(job);
      clock.advance(MINUTE);
    }
    expect(seen).toHaveLength(101);
  });
});
