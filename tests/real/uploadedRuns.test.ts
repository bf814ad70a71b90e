import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as quarterdeck from "../../sdk";
import { TestStack } from "../stack/stack";
import { countingProxy } from "./programs/countingProxy";
import { reset } from "./reset";
import { isOnPath } from "./servers/onPath";
import { givenServer } from "./servers/server";
import { ask, CONFIGURATION, runsOf } from "./terraformRuns";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

const server = givenServer();

if (server?.program !== "otfd" || server.more.terraform === undefined) {
  test.skip("runs of an uploaded directory need a real OTF server and Terraform on the PATH", () =>
    undefined);
} else {
  const { address, token, version, more } = server;
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";

  test(`a changed file of the directory queues another run (${version}, Terraform ${more.terraform})`, async () => {
    await reset();
    const directory = mkdtempSync(join(tmpdir(), "quarterdeck-configuration-"));
    const proxy = await countingProxy(address);
    const settings = { address: proxy.address, token, dialect: "real", organization: "acme" };
    const stack = await TestStack.open({ workspaces: settings });
    const program = async () => {
      const app = new quarterdeck.workspaces.Workspace("app", {
        name: "app",
        engineVersion: more.terraform ?? "",
        forceDelete: true,
      });
      const { workspaceId } = app;
      const files = new quarterdeck.workspaces.ConfigurationVersion("files", { workspaceId, directory });
      const run = new quarterdeck.workspaces.Run("deploy", {
        workspaceId,
        configurationVersionId: files.configurationVersionId,
      });
      const values = run.runId.apply(async () => {
        const id = await new Promise<string>((resolve) => workspaceId.apply(resolve));
        return (await quarterdeck.workspaces.getWorkspaceOutputs({ workspaceId: id })).values;
      });
      return { workspaceId, version: files.configurationVersionId, status: run.status, values };
    };
    try {
      writeFileSync(join(directory, "main.tf"), CONFIGURATION);
      const start = Date.now();
      const first = await stack.up(program);
      const took = Date.now() - start;
      expect(first).toMatchObject({
        failure: undefined,
        outputs: { status: "applied", values: { size: "small" } },
      });
      process.stderr.write(
        `workspace, upload, run and outputs: ${proxy.count()} requests, ${took} ms (${process.env.PULUMI_ENGINE})\n`,
      );
      expect(await stack.up()).toMatchObject({ failure: undefined, changes: { same: 4 } });
      expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 4 } });

      writeFileSync(join(directory, "main.tf"), CONFIGURATION.replace('"small"', '"large"'));
      const second = await stack.up();
      expect(second).toMatchObject({
        failure: undefined,
        outputs: { status: "applied", values: { size: "large" } },
      });
      expect(second.outputs.version).not.toBe(first.outputs.version);
      const workspaceId = String(first.outputs.workspaceId);
      expect(await runsOf(workspaceId)).toHaveLength(2);
      expect(await stack.destroy()).toMatchObject({ failure: undefined });
      await expect(ask("GET", `workspaces/${workspaceId}`)).rejects.toThrow(/404/);
    } finally {
      await stack.close();
      await proxy.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  });
}
