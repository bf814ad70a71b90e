import { setTimeout as delay } from "node:timers/promises";
import type { Json } from "../../provider/core/value/json";
import job from "../../provider/services/scheduler/job";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { Resource } from "../steps/resource";
import { World } from "../steps/world";
import { reset } from "./reset";
import { givenServer, sendRequest } from "./servers/server";

// Nomad needs a few seconds to fail a deployment and to revert the job.
jest.setTimeout(120_000);

const server = givenServer();
const SECOND = 1_000_000_000;
const ID = "reverted-system";

/** A system job that Nomad reverts to its last stable version if a task does not stay healthy. */
function systemJob(command: string, ...args: readonly string[]): { readonly [member: string]: Json } {
  return {
    ID,
    Type: "system",
    TaskGroups: [
      {
        Name: "front",
        RestartPolicy: { Attempts: 0, Mode: "fail", Interval: 60 * SECOND, Delay: SECOND },
        Update: {
          MaxParallel: 1,
          MinHealthyTime: SECOND,
          HealthyDeadline: 10 * SECOND,
          ProgressDeadline: 20 * SECOND,
          AutoRevert: true,
        },
        Tasks: [
          {
            Name: "server",
            Driver: "raw_exec",
            Config: { command, args: [...args] },
            Resources: { CPU: 20, MemoryMB: 16 },
          },
        ],
      },
    ],
  };
}

if (server?.program !== "nomad") {
  test.skip("deployments need a real Nomad server", () => undefined);
} else {
  const { address, token, version } = server;

  /** Waits until Nomad has registered the version of the automatic revert. */
  async function reverted(): Promise<void> {
    const headers = { "x-nomad-token": token };
    for (let tries = 0; tries < 200; tries++) {
      // The endpoint returns the job as an object.
      const { Version } = (await sendRequest(`${address}/v1/job/${ID}`, { headers })) as { Version: number };
      if (Version === 2) return;
      await delay(100);
    }
    throw new Error("Nomad did not revert the job");
  }

  test(`a registration after an automatic revert warns that there is no deployment to wait for (${version})`, async () => {
    await reset();
    const stub = new SchedulerService({ switches: { dialect: "neutral" } });
    const world = new World(stub, job, { token, dialect: "real" });
    const resource = new Resource(world, job);
    await resource.create({ json: systemJob("/bin/sleep", "600"), wait: "deployment" });
    expect(world.logged.join("\n")).toMatch(/1 of 1 healthy, 1 placed \(deployment \w{8} successful\)/);
    await expect(resource.up({ json: systemJob("/bin/false"), wait: "deployment" })).rejects.toThrow(
      /deployment \w{8} failed: .* rolling back to job version 0/,
    );
    await reverted();
    await resource.refresh();
    world.logged.length = 0;
    await resource.up({ json: systemJob("/bin/sleep", "700"), wait: "deployment" });
    expect(world.logged.at(-1)).toMatch(
      /^warning: Nomad created no deployment for version 3 of the job, so its health is not known\. Allocations running this version: \d\. Allocations running another version: \d\.$/,
    );
  });
}
