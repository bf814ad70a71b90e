import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as auto from "@pulumi/pulumi/automation";
import { startStub, TEST_TOKENS } from "../../testing";
import { INITIAL_SHARES } from "../../testing/stub/services/secrets/rekey/records";
import { chosenEngine, pulumiCommandOf } from "../../testing/tests/engine/comparison/engines";
import { WarmHost } from "../../testing/tests/engine/hosts/warmHost";
import { BY_PLUGIN, IN_STACKS } from "../bridge";
import { natureOf } from "../faults/wire";
import { useThePlugin } from "./usePlugin";

const ROOT = resolve(__dirname, "../..");
/** The TypeScript examples; others have their own tests. A run of the tests uses the one that covers all services. */
const EXAMPLES = readdirSync(join(ROOT, "examples"))
  .filter((name) => existsSync(join(ROOT, "examples", name, "index.ts")))
  .filter((name) => IN_STACKS || BY_PLUGIN || name === "platform");

/** Secrets that an example requires. */
const SECRETS: Readonly<Record<string, string>> = {
  identityProviderToken: "a-token",
  bindPassword: "a-password",
  cloudSecretKey: "a-key",
  recoveryShares: JSON.stringify(INITIAL_SHARES.slice(0, 2)),
};

/** Starts a dynamic provider host for the next command. The CLI starts its own, and every engine its plugins. */
async function serve({ workspace }: auto.Stack, host: WarmHost): Promise<void> {
  if (chosenEngine() === "embedded" && !BY_PLUGIN) await host.serve(workspace);
}

/** The bridge of a resource of this type, or undefined for types of the engine itself. */
function bridgeOf(type: string): "plugin" | "dynamic" | undefined {
  if (type.startsWith("quarterdeck:")) return "plugin";
  return type.startsWith("pulumi-nodejs:dynamic/quarterdeck/") ? "dynamic" : undefined;
}

test.each(EXAMPLES)(
  "the example %s previews without a write, is deployed, shows no changes, and is destroyed",
  async (name) => {
    const stub = await startStub();
    const services = {
      QUARTERDECK_WORKSPACES_ORGANIZATION: "acme",
      ...Object.fromEntries(
        Object.entries(stub.addresses).flatMap(([service, address]) => [
          [`QUARTERDECK_${service.toUpperCase()}_ADDRESS`, address],
          [`QUARTERDECK_${service.toUpperCase()}_TOKEN`, TEST_TOKENS[service as keyof typeof TEST_TOKENS]],
        ]),
      ),
    };
    const host = new WarmHost({ project: name, stack: "test", environment: services });
    const folder = mkdtempSync(join(tmpdir(), "example-"));
    try {
      const work = join(folder, name);
      cpSync(join(ROOT, "examples", name), work, { recursive: true });
      symlinkSync(join(ROOT, "node_modules"), join(work, "node_modules"), "junction");
      if (BY_PLUGIN) useThePlugin(work);
      mkdirSync(join(folder, "state"));
      const stack = await auto.LocalWorkspace.createStack(
        { stackName: "test", workDir: work },
        {
          pulumiCommand: await pulumiCommandOf(chosenEngine()),
          envVars: {
            PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
            PULUMI_CONFIG_PASSPHRASE: "examples",
            PULUMI_SKIP_UPDATE_CHECK: "true",
            ...services,
          },
        },
      );
      for (const [secret, value] of Object.entries(SECRETS))
        await stack.setConfig(secret, { value, secret: true });

      // The types are checked once: each command runs the same program.
      await serve(stack, host);
      await stack.preview();
      stack.workspace.envVars.PULUMI_NODEJS_TRANSPILE_ONLY = "true";
      const writes = (await stub.requests()).filter(({ method, path }) => !natureOf(method, path).isRead);
      expect(writes).toEqual([]);

      await serve(stack, host);
      const { summary: made } = await stack.up();
      expect(made.result).toBe("succeeded");
      const { deployment } = await stack.exportStack();
      const bridges = (deployment.resources as { type: string }[]).flatMap(
        ({ type }) => bridgeOf(type) ?? [],
      );
      expect([...new Set(bridges)]).toEqual([BY_PLUGIN ? "plugin" : "dynamic"]);
      const kinds = (changes: object | undefined) => Object.keys(changes ?? {});
      await serve(stack, host);
      expect(kinds((await stack.up()).summary.resourceChanges)).toEqual(["same"]);
      await serve(stack, host);
      expect(kinds((await stack.refresh()).summary.resourceChanges)).toEqual(["same"]);
      await serve(stack, host);
      expect((await stack.destroy()).summary.result).toBe("succeeded");
    } finally {
      host.stop();
      await stub.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);

test("the project at the repository root runs the platform example", async () => {
  const pulumiCommand = await pulumiCommandOf(chosenEngine());
  const settingsOf = async (workDir: string) =>
    (await auto.LocalWorkspace.create({ workDir, pulumiCommand })).projectSettings();
  const [root, example] = await Promise.all([settingsOf(ROOT), settingsOf(join(ROOT, "examples/platform"))]);
  expect(root).toEqual({ ...example, main: "examples/platform" });
});
