// Compares docs/what-it-shows.md with the real output of the platform example. The tree of resources is drawn only in a
// terminal, so that the messages below "Diagnostics:" are compared.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as auto from "@pulumi/pulumi/automation";
import { type Stub, startStub, TEST_TOKENS } from "../../testing";
import { chosenEngine, pulumiCommandOf } from "../../testing/tests/engine/comparison/engines";
import { BY_PLUGIN } from "../bridge";
import { blocksOf, pageAt } from "../docs/pages";
import { useThePlugin } from "./usePlugin";

const ROOT = resolve(__dirname, "../..");
const page = pageAt("docs/what-it-shows.md");

/** The messages in a section of the page: its lines between "Diagnostics:" and "Outputs:" or "Resources:", without names. */
function messagesOf(heading: string): string[] {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`)).split(/\n## /)[1] ?? "";
  return blocksOf(section, "text").flatMap((block) => {
    const [, diagnostics = ""] = /\nDiagnostics:\n([\s\S]*?)\n(?:Outputs|Resources):/.exec(block) ?? [];
    return diagnostics.split("\n").filter((line) => !/^ {2}\S+:\S+ \(\S+\):$/.test(line));
  });
}

/** Removes what differs between runs: the workspace that is checked first, and the server's indexes. */
const steady = (text: string) =>
  text
    .trim()
    .replace(/ +/g, " ")
    .replace(/\b(?:network|data|apps)\b/g, "LAYER")
    .replace(/index \d+/g, "index N");

/** The command's output contains every message of the section. */
function expectMessages(heading: string, output: string): void {
  const messages = messagesOf(heading).map(steady);
  expect(messages.length).toBeGreaterThan(0);
  const printed = new Set(output.split("\n").map(steady));
  expect(messages.filter((line) => !printed.has(line))).toEqual([]);
}

const ask = async (
  stub: Stub,
  service: "scheduler" | "mesh",
  method: string,
  path: string,
  body?: object,
) => {
  const headers = { [service === "scheduler" ? "x-nomad-token" : "x-consul-token"]: TEST_TOKENS[service] };
  const answer = await fetch(stub.addresses[service] + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as { [member: string]: unknown };
};

/** Someone else sets the job's count to 5 and the service's protocol to grpc. */
async function changeOutside(stub: Stub): Promise<void> {
  const job = await ask(stub, "scheduler", "GET", "/v1/job/orders");
  const [group] = job.TaskGroups as object[];
  await ask(stub, "scheduler", "POST", "/v1/jobs", { Job: { ...job, TaskGroups: [{ ...group, Count: 5 }] } });
  const entry = await ask(stub, "mesh", "GET", "/v1/config/service-defaults/orders");
  await ask(stub, "mesh", "PUT", "/v1/config", { ...entry, Protocol: "grpc" });
}

const failureOf = (command: Promise<unknown>) => command.then(() => "it did not fail", String);

(BY_PLUGIN ? test : test.skip)(
  "the page on command output shows real messages",
  async () => {
    const stub = await startStub();
    const folder = mkdtempSync(join(tmpdir(), "output-"));
    try {
      const work = join(folder, "platform");
      cpSync(join(ROOT, "examples/platform"), work, { recursive: true });
      symlinkSync(join(ROOT, "node_modules"), join(work, "node_modules"), "junction");
      useThePlugin(work);
      mkdirSync(join(folder, "state"));
      const settings = Object.entries(stub.addresses).flatMap(([service, address]) => [
        [`QUARTERDECK_${service.toUpperCase()}_ADDRESS`, address],
        [`QUARTERDECK_${service.toUpperCase()}_TOKEN`, TEST_TOKENS[service as keyof typeof TEST_TOKENS]],
      ]);
      const stack = await auto.LocalWorkspace.createStack(
        { stackName: "dev", workDir: work },
        {
          pulumiCommand: await pulumiCommandOf(chosenEngine()),
          envVars: {
            PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
            PULUMI_CONFIG_PASSPHRASE: "output",
            PULUMI_SKIP_UPDATE_CHECK: "true",
            PULUMI_NODEJS_TRANSPILE_ONLY: "true",
            QUARTERDECK_WORKSPACES_ORGANIZATION: "acme",
            ...Object.fromEntries(settings),
          },
        },
      );
      await stack.setConfig("identityProviderToken", { value: "a-token", secret: true });
      expectMessages("`pulumi preview`", (await stack.preview()).stdout);
      await stack.setConfig("environment", { value: "stag ing" });
      expectMessages("Invalid input", await failureOf(stack.preview()));
      await stack.setConfig("environment", { value: "staging" });
      await stack.up();
      await changeOutside(stub);
      const refreshed = await stack.previewRefresh();
      expectMessages("Changes outside the stack: `pulumi refresh --preview-only`", refreshed.stdout);
      await stack.setConfig("replicas", { value: "4" });
      expectMessages("A conflict", await failureOf(stack.up()));
      await stack.destroy().catch(() => undefined);
    } finally {
      await stub.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);
