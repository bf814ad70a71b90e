import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { deployed, Idle } from "./deployed";

class Remote extends pulumi.ComponentResource {
  constructor() {
    super("elsewhere:index:Component", "remote", {}, {}, true);
  }
}

class Elsewhere extends pulumi.CustomResource {}

/** What a program asks for, and the words in which it is refused. */
const refused: Readonly<Record<string, readonly [PulumiFn, string]>> = {
  "a resource's transforms": [
    async () => void new Idle("one", {}, { transforms: [() => undefined] }),
    "the resource option `transforms`",
  ],
  "stack transforms": [
    async () => void pulumi.runtime.registerResourceTransform(() => undefined),
    "stack transforms",
  ],
  "a resource's hooks": [
    async () => void new Idle("one", {}, { hooks: { beforeCreate: [() => {}] } }),
    "resource hooks",
  ],
  replaceWith: [
    async () => void new Idle("two", {}, { replaceWith: [new Idle("one")] }),
    "the resource option `replaceWith`",
  ],
  replacementTrigger: [
    async () => void new Idle("one", {}, { replacementTrigger: 1 }),
    "the resource option `replacementTrigger`",
  ],
  hideDiffs: [
    async () => void new Idle("one", {}, { hideDiffs: ["value"] }),
    "the resource option `hideDiffs`",
  ],
  "a plugin's address": [
    async () => void new Idle("one", {}, { pluginDownloadURL: "https://elsewhere.test" }),
    "the resource option `pluginDownloadURL`",
  ],
  assets: [
    async () => void new Idle("one", { file: new pulumi.asset.StringAsset("x") }),
    "assets and archives",
  ],
  "a plugin that nobody attached, and no path leads to": [
    async () => void new Elsewhere("elsewhere:index:Thing", "one", {}),
    'the provider plugin "elsewhere"',
  ],
  "a stack reference": [
    async () => void new pulumi.StackReference("organization/other/dev"),
    "stack references",
  ],
  "remote components": [async () => void new Remote(), "remote components"],
};

describe("what the engine does not do it refuses by name", () => {
  test.each(Object.entries(refused))("%s", async (_, [program, feature]) => {
    const { diagnostics, error } = await deployed(program, { kind: "preview" });
    expect(error).toBeDefined();
    expect([error, ...diagnostics].join("\n")).toContain(`the embedded engine does not serve ${feature}`);
  });

  test.each([
    ["--run-program", { kind: "refresh", runProgram: true }],
    ["--continue-on-error", { kind: "up", continueOnError: true }],
  ] as const)("%s", async (flag, options) => {
    const { error } = await deployed(async () => {}, options);
    expect(error).toContain(`the embedded engine does not serve ${flag}`);
  });
});
