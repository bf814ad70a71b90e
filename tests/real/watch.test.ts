import { TestStack } from "../stack/stack";
import { reset } from "./reset";
import { isOnPath } from "./servers/onPath";
import { givenServer, sendRequest } from "./servers/server";
import { deployAndWatch } from "./watched";

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

if (server?.program !== "nomad") {
  test.skip("watching a job needs a Nomad server", () => undefined);
} else {
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";

  test(`a watch reports each of ten edits of a job with its time (${server.version})`, async () => {
    await reset();
    const { address, token } = server;
    const stack = await TestStack.open({ scheduler: { address, token, dialect: "real" } });
    let own: Awaited<ReturnType<typeof deployAndWatch>> | undefined;
    try {
      own = await deployAndWatch(stack, job(50));
      const { told, until, hasReported } = own;
      const times: number[] = [];
      for (let edit = 1; edit <= 10; edit++) {
        const began = Date.now();
        const headers = { "x-nomad-token": token };
        await sendRequest(`${address}/v1/jobs`, { method: "POST", headers, body: { Job: job(50 + edit) } });
        await until(hasReported(50 + edit), "the edit is reported", 100);
        times.push(Date.now() - began);
        const last = told.at(-1);
        const when = last?.event === "resource" ? Date.parse(last.when ?? "") : Number.NaN;
        expect(Math.abs(when - began)).toBeLessThan(1000);
      }
      process.stderr.write(`milliseconds from the edit to the report: ${times.join(", ")}\n`);
      expect(await own.end()).toMatchObject({ event: "ended", counts: { drifted: 1 } });
      expect(told.filter(({ event }) => event === "resource")).toHaveLength(10);
    } finally {
      await own?.end();
      await stack.close();
    }
  });
}
