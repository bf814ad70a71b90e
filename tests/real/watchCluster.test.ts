import { TestStack } from "../stack/stack";
import { type Cluster, type Member, until } from "./servers/cluster";
import { startNomadCluster } from "./servers/nomadCluster";
import { isOnPath } from "./servers/onPath";
import { givenServer, sendRequest, Teardown } from "./servers/server";
import { deployAndWatch } from "./watched";

const server = givenServer();

const job = (Priority: number) => ({
  ID: "watched",
  Priority,
  Datacenters: ["dc1"],
  TaskGroups: [{ Name: "main", Tasks: [{ Name: "main", Driver: "raw_exec", Config: { command: "true" } }] }],
});

if (server?.program !== "nomad") {
  test.skip("watching a cluster needs a Nomad server", () => undefined);
} else {
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";

  test(`a watch reports edits while servers are killed and restarted (${server.version})`, async () => {
    const teardown = new Teardown();
    let own: Awaited<ReturnType<typeof deployAndWatch>> | undefined;
    let stack: TestStack | undefined;
    try {
      const { cluster, token } = await startNomadCluster(teardown);
      const watched = await cluster.standby();
      stack = await TestStack.open({ scheduler: { address: watched.address, token, dialect: "real" } });
      own = await deployAndWatch(stack, job(50));
      const { told, hasReported } = own;
      const edit = (Priority: number) => editJob(cluster, token, job(Priority), watched);

      // The leader is killed, and another server accepts an edit.
      await cluster.kill(await cluster.active());
      await edit(60);
      await own.until(hasReported(60), "the edit is reported", 4000);

      // The watched server is killed. An edit follows before it runs again.
      await cluster.makeComplete(token);
      await cluster.kill(watched);
      await edit(70);
      await cluster.makeComplete(token);
      await own.until(hasReported(70), "the edit is reported", 4000);
      await edit(80);
      await own.until(hasReported(80), "the edit is reported", 500);
      expect(await own.end()).toMatchObject({ event: "ended", counts: { drifted: 1 } });
      process.stderr.write(`reported: ${told.map(({ event }) => event).join(", ")}\n`);
    } finally {
      await own?.end();
      await stack?.close();
      await teardown.run();
    }
  });
}

/** Edits the job through any running server, after a leader is elected. */
async function editJob(cluster: Cluster, token: string, Job: object, watched: Member): Promise<void> {
  const headers = { "x-nomad-token": token };
  const sent = ({ address }: Member) =>
    sendRequest(`${address}/v1/jobs`, { method: "POST", headers, body: { Job } }).then(() => true);
  const [first, second] = cluster.members.filter((member) => member !== watched);
  if (first === undefined || second === undefined) throw new Error("a cluster has members");
  await until("an edit is accepted", () => sent(first).catch(() => sent(second)));
}
