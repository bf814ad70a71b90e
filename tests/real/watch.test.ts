import type * as pulumi from "@pulumi/pulumi";
import { type WatchEvent, watch } from "../../drift";
import * as quarterdeck from "../../sdk";
import { TestStack } from "../stack/stack";
import { reset } from "./reset";
import { isOnPath } from "./servers/onPath";
import { ask, givenServer } from "./servers/server";

const server = givenServer();

const job = (Priority: number) => ({
  ID: "watched",
  Priority,
  TaskGroups: [
    {
      Name: "front",
      Count: 1,
      Tasks: [{ Name: "server", Driver: "raw_exec", Config: { command: "/bin/sleep", args: ["3600"] } }],
    },
  ],
});

const program: pulumi.automation.PulumiFn = async () => {
  new quarterdeck.scheduler.Job("watched", { json: job(50) });
};

if (server?.program !== "nomad") {
  test.skip("no scheduler is watched: none was started", () => undefined);
} else {
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";

  test(`ten edits of a job on ${server.version} are told, each within a second, and when it was written`, async () => {
    await reset();
    const { address, token } = server;
    const stack = await TestStack.open({ scheduler: { address, token, dialect: "real" } });
    const ending = new AbortController();
    try {
      expect((await stack.up(program)).failure).toBeUndefined();
      const configuration = new Map(
        Object.entries(await stack.stack.getAllConfig()).map(([key, { value }]) => [key, value]),
      );
      const state = JSON.stringify(await stack.stack.exportStack());
      const told: WatchEvent[] = [];
      const watching = (async () => {
        for await (const event of watch({
          state,
          configuration,
          env: {},
          interval: 3600,
          signal: ending.signal,
        }))
          told.push(event);
      })();
      const until = async (isSo: () => boolean, ms: number) => {
        for (const began = Date.now(); !isSo(); ) {
          if (Date.now() - began > ms) throw new Error(JSON.stringify(told.slice(-3)));
          await new Promise((next) => setTimeout(next, 2));
        }
      };
      await until(() => told.some(({ event }) => event === "began"), 20_000);
      const times: number[] = [];
      for (let edit = 1; edit <= 10; edit++) {
        const began = Date.now();
        const headers = { "x-nomad-token": token };
        await ask(`${address}/v1/jobs`, { method: "POST", headers, body: { Job: job(50 + edit) } });
        const isTold = () => {
          const last = told.at(-1);
          return last?.event === "resource" && last.fields?.[0]?.is === String(50 + edit);
        };
        await until(isTold, 1000);
        times.push(Date.now() - began);
        const last = told.at(-1);
        const when = last?.event === "resource" ? Date.parse(last.when ?? "") : Number.NaN;
        expect(Math.abs(when - began)).toBeLessThan(1000);
      }
      process.stderr.write(`milliseconds from the edit to what is told: ${times.join(", ")}\n`);
      ending.abort();
      await watching;
      expect(told.at(-1)).toMatchObject({ event: "ended", counts: { drifted: 1 } });
      expect(told.filter(({ event }) => event === "resource")).toHaveLength(10);
    } finally {
      ending.abort();
      await stack.close();
    }
  });
}
