import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as auto from "@pulumi/pulumi/automation";
import { embeddedCommand } from "../../../engine";
import { newSandbox, type Sandbox } from "./running";

/** The environment of a place in the format of the Automation API. */
const envVars = (sandbox: Sandbox, more: Record<string, string> = {}) => ({
  ...sandbox.environment,
  ...more,
});

class Quay extends pulumi.CustomResource {
  declare readonly tonnage: pulumi.Output<number>;
  constructor(
    provider: string,
    name: string,
    properties: pulumi.Inputs,
    options?: pulumi.CustomResourceOptions,
  ) {
    const __provider = `exports.handler = () => require(${JSON.stringify(provider)}).handler()`;
    super(
      "pulumi-nodejs:dynamic/harbour:Quay",
      name,
      { tonnage: undefined, ...properties, __provider },
      options,
    );
  }
}

describe("an inline program", () => {
  async function newStack(program: (provider: string) => pulumi.Inputs, sandbox = newSandbox()) {
    const stack = await auto.LocalWorkspace.createOrSelectStack(
      {
        stackName: "dev",
        projectName: "inline",
        program: async () => program(join(sandbox.project, "provider.cjs")),
      },
      { pulumiCommand: embeddedCommand(), envVars: envVars(sandbox) },
    );
    return { stack, sandbox };
  }

  test("supports preview, up, refresh and destroy, with outputs, history and events", async () => {
    let size = "1";
    const { stack } = await newStack((provider) => {
      const quay = new Quay(provider, "north", { size, secret: new pulumi.Config().requireSecret("token") });
      return { tonnage: quay.tonnage, word: pulumi.secret("hidden-word") };
    });
    await stack.setConfig("token", { value: "hidden-token", secret: true });
    expect(await stack.getConfig("token")).toEqual({ value: "hidden-token", secret: true });
    expect(await stack.getAllConfig()).toEqual({ "inline:token": { value: "hidden-token", secret: true } });

    expect((await stack.preview()).changeSummary).toEqual({ create: 2 });
    const events: auto.EngineEvent[] = [];
    const shown: string[] = [];
    const up = await stack.up({
      onEvent: (event) => events.push(event),
      onOutput: (text) => shown.push(text),
    });
    expect(up.outputs).toEqual({
      tonnage: { value: 7, secret: false },
      word: { value: "hidden-word", secret: true },
    });
    expect(up.summary).toMatchObject({
      kind: "update",
      version: 0,
      result: "succeeded",
      resourceChanges: { create: 2 },
      config: { "inline:token": { value: "hidden-token", secret: true } },
      environment: { "exec.kind": "auto.inline", "pulumi.env.PULUMI_AUTOMATION_API": "set" },
    });
    expect(up.summary.startTime).toBeInstanceOf(Date);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    expect(events.at(-2)?.summaryEvent?.resourceChanges).toEqual({ create: 2 });
    expect(shown.join("").trimEnd()).toBe(up.stdout.trimEnd());
    expect(up.stdout + JSON.stringify(events)).not.toContain("hidden-");

    size = "2";
    await expect(stack.preview({ expectNoChanges: true })).rejects.toThrow(
      "no changes were expected for preview but changes were proposed",
    );
    expect((await stack.up()).summary.resourceChanges).toEqual({ same: 1, update: 1 });
    expect((await stack.up({ expectNoChanges: true })).summary.resourceChanges).toEqual({ same: 2 });
    expect((await stack.refresh()).summary.kind).toBe("refresh");
    expect((await stack.previewRefresh()).changeSummary).toEqual({ same: 2 });
    expect((await stack.previewDestroy()).changeSummary).toEqual({ delete: 2 });

    const exported = await stack.exportStack();
    expect(JSON.stringify(exported)).toContain("hidden-token");
    await stack.importStack(exported);
    expect((await stack.up()).summary.resourceChanges).toEqual({ same: 2 });

    expect((await stack.destroy()).summary.resourceChanges).toEqual({ delete: 2 });
    expect((await stack.history()).map(({ kind }) => kind)).toEqual([
      "destroy",
      "update",
      "refresh",
      "update",
      "update",
      "update",
    ]);
    await stack.workspace.removeStack("dev");
    expect(await stack.workspace.listStacks()).toEqual([]);
  }, 120_000);

  test("`up` of a failing program rejects with a CommandError that contains the exit code and the output", async () => {
    const { stack } = await newStack((provider) => {
      new Quay(provider, "north", { flag: "sinks" });
      return {};
    });
    const error: unknown = await stack.up().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(auto.CommandError);
    expect(String(error)).toContain("Command failed with exit code 1: pulumi up --yes --skip-preview");
    expect(String(error)).toContain("error: the quay gave way");
    const [last] = await stack.history();
    expect(last).toMatchObject({ kind: "update", result: "failed" });
  }, 60_000);

  test("a second update of the same stack rejects with a ConcurrentUpdateError", async () => {
    let second: Promise<unknown> | undefined;
    const { stack } = await newStack(async () => {
      second ??= stack.up().catch((reason: unknown) => reason);
      await second;
      return {};
    });
    await stack.up();
    expect(await second).toBeInstanceOf(auto.ConcurrentUpdateError);
  }, 60_000);

  test("rejects the creation of an existing stack and the selection of an unknown stack", async () => {
    const { sandbox } = await newStack(() => ({}));
    const args = { stackName: "dev", projectName: "inline", program: async () => {} };
    const options = { pulumiCommand: embeddedCommand(), envVars: envVars(sandbox) };
    await expect(auto.LocalWorkspace.createStack(args, options)).rejects.toBeInstanceOf(
      auto.StackAlreadyExistsError,
    );
    await expect(
      auto.LocalWorkspace.selectStack({ ...args, stackName: "nowhere" }, options),
    ).rejects.toBeInstanceOf(auto.StackNotFoundError);
  });

  test("its workspace reads and writes configuration and tags, and refreshes the configuration", async () => {
    const { stack, sandbox } = await newStack(() => ({}));
    await stack.setAllConfig({ a: { value: "1" }, b: { value: "hidden-b", secret: true } });
    await stack.setAllConfig({ "c.d[0]": { value: "true" } }, true);
    expect(await stack.getConfig("c.d[0]", true)).toEqual({ value: "true", secret: false });
    await stack.removeAllConfig(["a"]);
    await stack.removeConfig("c.d[0]", true);
    expect(Object.keys(await stack.getAllConfig())).toEqual(["inline:b", "inline:c"]);
    await stack.setTag("owner", "ida");
    expect(await stack.listTags()).toEqual({ owner: "ida" });
    await stack.removeTag("owner");
    expect(await stack.workspace.listPlugins()).toEqual([]);
    expect(await stack.workspace.whoAmI()).toMatchObject({ url: `file://${sandbox.state}` });
    expect((await stack.workspace.stack())?.name).toBe("dev");
    await stack.up();
    await stack.setConfig("b", { value: "other" });
    expect((await stack.refreshConfig())["inline:b"]).toEqual({ value: "hidden-b", secret: true });
    await stack.cancel();
  }, 60_000);
});

describe("a local program", () => {
  async function newStack(program: string) {
    const sandbox = newSandbox();
    const stack = await auto.LocalWorkspace.createOrSelectStack(
      { stackName: "dev", workDir: sandbox.project },
      { pulumiCommand: embeddedCommand(), envVars: envVars(sandbox, { HARBOUR: program }) },
    );
    return { stack, sandbox };
  }

  test("supports up, a changed program and destroy, and its checkpoint contains no secret in plaintext", async () => {
    const { stack, sandbox } = await newStack("first");
    const up = await stack.up();
    expect(up.outputs).toEqual({
      tonnage: { value: 7, secret: false },
      code: { value: "hidden-2", secret: true },
      count: { value: 5, secret: false },
      plan: { value: { a: [1, { b: 2 }] }, secret: false },
    });
    expect(up.summary.environment).toMatchObject({ "exec.kind": "auto.local" });
    const checkpoint = readFileSync(join(sandbox.state, ".pulumi/stacks/harbour/dev.json"), "utf8");
    expect(checkpoint + up.stdout).not.toContain("hidden-");
    const changed = await auto.LocalWorkspace.selectStack(
      { stackName: "dev", workDir: sandbox.project },
      { pulumiCommand: embeddedCommand(), envVars: envVars(sandbox, { HARBOUR: "second" }) },
    );
    expect((await changed.preview()).changeSummary).toEqual({ same: 1, update: 2 });
    expect((await changed.up()).summary.resourceChanges).toEqual({ same: 1, update: 2 });
    expect((await changed.destroy({ remove: true })).summary.resourceChanges).toEqual({ delete: 3 });
    expect(await changed.workspace.listStacks()).toEqual([]);
  }, 120_000);
});
