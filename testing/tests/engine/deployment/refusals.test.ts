import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { deployed, Idle } from "./deployed";

class Remote extends pulumi.ComponentResource {
  constructor() {
    super("elsewhere:index:Component", "remote", {}, {}, true);
  }
}

class Elsewhere extends pulumi.CustomResource {}

/** Programs that use an unsupported feature, and the name of the feature in the error. */
const unsupported: Readonly<Record<string, readonly [PulumiFn, string]>> = {
  "the transforms of a resource": [
    async () => void new Idle("one", {}, { transforms: [() => undefined] }),
    "the resource option `transforms`",
  ],
  "stack transforms": [
    async () => void pulumi.runtime.registerResourceTransform(() => undefined),
    "stack transforms",
  ],
  "the hooks of a resource": [
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
  pluginDownloadURL: [
    async () => void new Idle("one", {}, { pluginDownloadURL: "https://elsewhere.test" }),
    "the resource option `pluginDownloadURL`",
  ],
  assets: [
    async () => void new Idle("one", { file: new pulumi.asset.StringAsset("x") }),
    "assets and archives",
  ],
  "a plugin that is neither attached nor declared with a path": [
    async () => void new Elsewhere("elsewhere:index:Thing", "one", {}),
    'the provider plugin "elsewhere"',
  ],
  "a stack reference": [
    async () => void new pulumi.StackReference("organization/other/dev"),
    "stack references",
  ],
  "remote components": [async () => void new Remote(), "remote components"],
};

describe("unsupported features are rejected, and the error names them", () => {
  test.each(Object.entries(unsupported))("a program with %s", async (_, [program, feature]) => {
    const { diagnostics, error } = await deployed(program, { kind: "preview" });
    expect(error).toBeDefined();
    expect([error, ...diagnostics].join("\n")).toContain(`the embedded engine does not serve ${feature}`);
  });

  test.each([
    ["--run-program", { kind: "refresh", runProgram: true }],
    ["--continue-on-error", { kind: "up", continueOnError: true }],
  ] as const)("the flag %s", async (flag, options) => {
    const { error } = await deployed(async () => {}, options);
    expect(error).toContain(`the embedded engine does not serve ${flag}`);
  });
});
