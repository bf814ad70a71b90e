import { iterateFunction } from "../../provider/core/functions/call";
import type { Values } from "../../provider/core/language/object";
import { isObject, type Json } from "../../provider/core/value/json";
import { functionOf } from "../../provider/functions";
import job from "../../provider/services/scheduler/job";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { World } from "../steps/world";
import { reset } from "./reset";
import { givenServer } from "./servers/server";

const server = givenServer();

const headers = { "x-sched-token": "manager", "content-type": "application/json" };

async function register(world: World, Priority: number): Promise<void> {
  const config = { command: "/bin/sleep", args: ["3600"] };
  const env = { PRIORITY: String(Priority) };
  const tasks = [{ Name: "server", Driver: "raw_exec", Config: config, Env: env }];
  const update = { MinHealthyTime: 100_000_000, HealthCheck: "task_states" };
  const Job = { ID: "watched", Priority, TaskGroups: [{ Name: "front", Update: update, Tasks: tasks }] };
  const answer = await world.send("POST", "/v1/jobs", { Job }, headers);
  if (answer.status >= 300) throw new Error(answer.text);
}

/**
 * Waits until a watch yields a value for which `shows` is true.
 * @returns the number of yielded values
 */
async function waitFor(
  watching: AsyncGenerator<Json, void, void>,
  shows: (text: string) => boolean,
): Promise<number> {
  for (let yields = 1; ; yields++) {
    const { value, done } = await watching.next();
    if (done) throw new Error("the watch ended");
    if (shows(JSON.stringify(value))) return yields;
  }
}

if (server?.program !== "nomad") {
  test.skip("watch functions need a Nomad server", () => undefined);
} else {
  test.each<[string, Values, (round: number) => (text: string) => boolean]>([
    ["watchJobs", {}, (round) => (text) => text.includes(`"priority":${50 + round}`)],
    ["watchAllocations", { jobId: "watched" }, (round) => (text) => text.includes(`"jobVersion":${round}`)],
    [
      "watchEvaluations",
      { jobId: "watched" },
      (round) => (text) => text.split('"triggeredBy":"job-register"').length > round + 1,
    ],
    ["watchDeployments", { jobId: "watched" }, (round) => (text) => text.includes(`"jobVersion":${round}`)],
  ])(
    `%s reports each of three registrations within two seconds (${server.version})`,
    async (name, args, shows) => {
      await reset();
      const world = new World(new SchedulerService({ switches: { dialect: "neutral" } }), job, {
        token: "manager",
      });
      const stop = new AbortController();
      const caller = { connection: world.connection, log: () => undefined, signal: stop.signal };
      const watching = iterateFunction(functionOf(`scheduler:${name}`), args, caller);
      const times: number[] = [];
      let totalYields = 0;
      try {
        const first = await watching.next();
        expect(isObject(first.value ?? null)).toBe(true);
        for (let round = 0; round < 3; round++) {
          const began = Date.now();
          const yieldCount = waitFor(watching, shows(round));
          await register(world, 50 + round);
          totalYields += await yieldCount;
          times.push(Date.now() - began);
        }
        const requests = world.requests.length;
        // The watch uses blocking queries and does not poll.
        expect(requests).toBeLessThan(200);
        expect(Math.max(...times)).toBeLessThan(2000);
        process.stderr.write(
          `${name}: ${times.join(", ")} ms from a registration to the report; ${totalYields} yields, ${requests} requests\n`,
        );
      } finally {
        stop.abort();
        await watching.return();
        await reset();
      }
    },
  );
}
