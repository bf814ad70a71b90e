// Deploys the project in the current folder with its installed packages: up against the stub, a preview without changes,
// destroy.
const { createRequire } = require("node:module");
const { mkdirSync } = require("node:fs");
const { join } = require("node:path");

const installed = createRequire(join(process.cwd(), "package.json"));
const { LocalWorkspace } = installed("@pulumi/pulumi/automation");
const { pickEngine, startStub, TEST_TOKENS } = installed("pulumi-quarterdeck-testing");

async function drive() {
  const { command, root } = pickEngine(process.env, { otherwise: "embedded", print: () => {} });
  if (root !== undefined) throw new Error("put the Pulumi CLI on the PATH");
  const state = join(process.cwd(), "state");
  mkdirSync(state, { recursive: true });
  const stub = await startStub();
  try {
    const stack = await LocalWorkspace.createOrSelectStack(
      { stackName: "test", workDir: process.cwd() },
      {
        ...(command && { pulumiCommand: command }),
        envVars: {
          PULUMI_BACKEND_URL: `file://${state}`,
          PULUMI_CONFIG_PASSPHRASE: "installs",
          PULUMI_SKIP_UPDATE_CHECK: "true",
          QUARTERDECK_SCHEDULER_ADDRESS: stub.addresses.scheduler,
          QUARTERDECK_SCHEDULER_TOKEN: TEST_TOKENS.scheduler,
        },
      },
    );
    const { outputs, summary } = await stack.up();
    if (!/^\d+$/.test(String(outputs.index?.value))) throw new Error(`no index: ${JSON.stringify(outputs)}`);
    if (!summary.resourceChanges?.create) throw new Error("nothing was created");
    const { changeSummary } = await stack.preview();
    if (Object.keys(changeSummary).join() !== "same")
      throw new Error(`not quiet: ${JSON.stringify(changeSummary)}`);
    await stack.destroy();
    const left = await stub.requests({ service: "scheduler", method: "DELETE" });
    if (left.length !== 1) throw new Error("the job was not deregistered");
  } finally {
    await stub.stop();
  }
}

drive().then(
  () => process.exit(0),
  (error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
