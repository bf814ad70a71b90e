import type * as pulumi from "@pulumi/pulumi";
import { type WatchEvent, watch } from "../../drift";
import * as quarterdeck from "../../sdk";
import { TestStack } from "../stack/stack";
import type { Cluster, Member } from "./servers/cluster";
import { startNomadCluster } from "./servers/nomadCluster";
import { isOnPath } from "./servers/onPath";
import { ask, Begun, givenServer } from "./servers/server";

const server = givenServer();

const job = (Priority: number) => ({
  ID: "watched",
  Priority,
  Datacenters: ["dc1"],
  TaskGroups: [{ Name: "main", Tasks: [{ Name: "main", Driver: "raw_exec", Config: { command: "true" } }] }],
});

const program: pulumi.automation.PulumiFn = async () => {
  new quarterdeck.scheduler.Job("watched", { json: job(50) });
};

if (server?.program !== "nomad") {
  test.skip("no cluster is watched: none was started", () => undefined);
} else {
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";

  test(`what happens while servers end and come back is told (${server.version})`, async () => {
    const begun = new Begun();
    const ending = new AbortController();
    let stack: TestStack | undefined;
    try {
      const { cluster, token } = await startNomadCluster(begun);
      const watched = await cluster.standby();
      stack = await TestStack.open({ scheduler: { address: watched.address, token, dialect: "real" } });
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
          if (Date.now() - began > ms) throw new Error(JSON.stringify(told.slice(-4)));
          await new Promise((next) => setTimeout(next, 10));
        }
      };
      const edit = (Priority: number) => edited(cluster, token, job(Priority), watched);
      const isTold = (Priority: number) => () => {
        const last = told.findLast(({ event }) => event === "resource");
        return last?.event === "resource" && last.fields?.[0]?.is === String(Priority);
      };
      await until(() => told.some(({ event }) => event === "began"), 20_000);

      // The leader ends, and another one takes an edit.
      await cluster.kill(await cluster.active());
      await edit(60);
      await until(isTold(60), 40_000);

      // The watched server ends; an edit comes before it is back.
      await cluster.whole(token);
      await cluster.kill(watched);
      await edit(70);
      await cluster.whole(token);
      await until(isTold(70), 40_000);
      await edit(80);
      await until(isTold(80), 5000);
      ending.abort();
      await watching;
      expect(told.at(-1)).toMatchObject({ event: "ended", counts: { drifted: 1 } });
      process.stderr.write(`told: ${told.map(({ event }) => event).join(", ")}\n`);
    } finally {
      ending.abort();
      await stack?.close();
      await begun.end();
    }
  });
}

/** Writes by any server that is there, once there is a leader. */
async function edited(cluster: Cluster, token: string, Job: object, watched: Member): Promise<void> {
  const others = cluster.members.filter((member) => member !== watched);
  for (const end = Date.now() + 40_000; ; ) {
    for (const { address } of others) {
      const headers = { "x-nomad-token": token };
      const isDone = await ask(`${address}/v1/jobs`, { method: "POST", headers, body: { Job } }).then(
        () => true,
        () => false,
      );
      if (isDone) return;
    }
    if (Date.now() > end) throw new Error("no server takes an edit");
    await new Promise((next) => setTimeout(next, 100));
  }
}
