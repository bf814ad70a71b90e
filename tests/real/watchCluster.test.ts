import { TestStack } from "../stack/stack";
import { type Cluster, type Member, until } from "./servers/cluster";
import { startNomadCluster } from "./servers/nomadCluster";
import { isOnPath } from "./servers/onPath";
import { ask, Begun, givenServer } from "./servers/server";
import { watchedOnce } from "./watched";

const server = givenServer();

const job = (Priority: number) => ({
  ID: "watched",
  Priority,
  Datacenters: ["dc1"],
  TaskGroups: [{ Name: "main", Tasks: [{ Name: "main", Driver: "raw_exec", Config: { command: "true" } }] }],
});

if (server?.program !== "nomad") {
  test.skip("no cluster is watched: none was started", () => undefined);
} else {
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";

  test(`what happens while servers end and come back is told (${server.version})`, async () => {
    const begun = new Begun();
    let own: Awaited<ReturnType<typeof watchedOnce>> | undefined;
    let stack: TestStack | undefined;
    try {
      const { cluster, token } = await startNomadCluster(begun);
      const watched = await cluster.standby();
      stack = await TestStack.open({ scheduler: { address: watched.address, token, dialect: "real" } });
      own = await watchedOnce(stack, job(50));
      const { told, isTold } = own;
      const edit = (Priority: number) => edited(cluster, token, job(Priority), watched);

      // The leader ends, and another one takes an edit.
      await cluster.kill(await cluster.active());
      await edit(60);
      await own.until(isTold(60), "the edit is told", 4000);

      // The watched server ends; an edit comes before it is back.
      await cluster.whole(token);
      await cluster.kill(watched);
      await edit(70);
      await cluster.whole(token);
      await own.until(isTold(70), "the edit is told", 4000);
      await edit(80);
      await own.until(isTold(80), "the edit is told", 500);
      expect(await own.end()).toMatchObject({ event: "ended", counts: { drifted: 1 } });
      process.stderr.write(`told: ${told.map(({ event }) => event).join(", ")}\n`);
    } finally {
      await own?.end();
      await stack?.close();
      await begun.end();
    }
  });
}

/** Writes by any server that is there, once there is a leader. */
async function edited(cluster: Cluster, token: string, Job: object, watched: Member): Promise<void> {
  const headers = { "x-nomad-token": token };
  const sent = ({ address }: Member) =>
    ask(`${address}/v1/jobs`, { method: "POST", headers, body: { Job } }).then(() => true);
  const [first, second] = cluster.members.filter((member) => member !== watched);
  if (first === undefined || second === undefined) throw new Error("a cluster has members");
  await until("an edit is taken", () => sent(first).catch(() => sent(second)));
}
