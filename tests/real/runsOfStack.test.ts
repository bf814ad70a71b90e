import * as quarterdeck from "../../sdk";
import { TestStack } from "../stack/stack";
import { countingProxy } from "./programs/countingProxy";
import { reset } from "./reset";
import { isOnPath } from "./servers/onPath";
import { givenServer } from "./servers/server";
import { CONFIGURATION, deployable, runsOf, statusesOf } from "./terraformRuns";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

const server = givenServer();

if (server?.program !== "otfd" || server.more.terraform === undefined) {
  test.skip("a stack with runs needs a real OTF server and Terraform on the PATH", () => undefined);
} else {
  const { address, token, version, more } = server;
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";

  test(`a stack queues a run only for changed triggers or properties (${version}, Terraform ${more.terraform})`, async () => {
    await reset();
    const workspaceId = await deployable(CONFIGURATION);
    const proxy = await countingProxy(address);
    const settings = { address: proxy.address, token, dialect: "real", organization: "acme" };
    const stack = await TestStack.open({ workspaces: settings });
    const program = (args: object) => async () => {
      const run = new quarterdeck.workspaces.Run("deploy", { workspaceId, ...args });
      const outputs = run.runId.apply(async () => {
        const { values } = await quarterdeck.workspaces.getWorkspaceOutputs({ workspaceId });
        return values;
      });
      return { runId: run.runId, status: run.status, outputs };
    };
    try {
      const start = Date.now();
      const first = await stack.up(program({ triggers: ["1"] }));
      const took = Date.now() - start;
      expect(first).toMatchObject({
        failure: undefined,
        outputs: { status: "applied", outputs: { size: "small" } },
      });
      process.stderr.write(
        `up with an applied run and its outputs: ${proxy.count()} requests, ${took} ms (${process.env.PULUMI_ENGINE})\n`,
      );
      const again = await stack.up(program({ triggers: ["1"] }));
      expect(again).toMatchObject({ failure: undefined, changes: { same: 2 } });
      expect(await statusesOf(workspaceId)).toEqual(["applied"]);
      expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 2 } });

      const changed = await stack.up(program({ triggers: ["2"], variables: { size: '"large"' } }));
      expect(changed).toMatchObject({
        failure: undefined,
        outputs: { status: "applied", outputs: { size: "large" } },
      });
      expect(changed.outputs.runId).not.toBe(first.outputs.runId);
      expect(await statusesOf(workspaceId)).toEqual(["applied", "applied"]);

      expect(await stack.destroy()).toMatchObject({ failure: undefined });
      expect((await runsOf(workspaceId)).map(({ id }) => id)).toEqual([
        first.outputs.runId,
        changed.outputs.runId,
      ]);
    } finally {
      await stack.close();
      await proxy.stop();
    }
  });
}
