import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { TestStack } from "../stack/stack";
import { closeWithServices, stackOf } from "../stack/states/recording";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

const ROOT = resolve(__dirname, "../..");
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "state-"));
let stack: TestStack | undefined;
afterEach(async () => {
  if (stack) await closeWithServices(stack);
  stack = undefined;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Shown {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The output and exit code of `quarterdeck state` for a state. */
async function shown(state: string, ...args: readonly string[]): Promise<Shown> {
  const file = join(folder, "state.json");
  writeFileSync(file, state);
  const whole = [join(ROOT, "cli/quarterdeck.js"), "state", "--state", file, ...args];
  return run(process.execPath, whole, { maxBuffer: 2 ** 26 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Shown) => ({ code, stdout, stderr }),
  );
}

async function exported(story: string): Promise<string> {
  stack = await stackOf(story);
  return JSON.stringify(await stack.stack.exportStack());
}

test("state prints location, last write, server values, outside changes and pending work of each resource", async () => {
  const { stdout, stderr, code } = await shown(await exported("uneven"));
  expect([code, stderr]).toEqual([0, ""]);
  const parts = new Map(stdout.split("\n\n").map((part) => [part.split(" (")[0] ?? "", part]));
  const workspace = parts.get('workspaces:Workspace "drifted"');
  expect(workspace).toMatch(/ {2}location: organization acme, name drifted, workspaceId ws-/);
  expect(workspace).toMatch(/ {2}last applied\n(?: {4}.*\n)* {4}description: "ours"/);
  expect(workspace).toMatch(
    /other values on the server after the last write\n(?: {4}.*\n)* {4}executionMode: "remote"/,
  );
  expect(workspace).toMatch(
    /changed outside this stack since then\n {4}field +was +is\n {4}description +"ours" +"theirs"/,
  );
  expect(workspace).toMatch(/stored in \d+ bytes/);
  expect(parts.get('workspaces:Workspace "half"')).toMatch(/incomplete: PATCH/);
  expect(parts.get('scheduler:Job "unread"')).toMatch(
    /unverified: the last write was applied, and the object could not be read\n {2}afterward/,
  );
  expect(parts.get('secrets:QueueRole "perhaps"')).toMatch(
    /outcome unknown: a write was sent, and no response arrived\n(?:.*\n)* {2}write with unknown outcome\n {4}name: "perhaps"/,
  );
  const procedure = [...parts.values()].find((part) => part.startsWith("secrets:RecoveryKeyRekey"));
  expect(procedure).toMatch(
    /values of the procedure, which may be secret\n {4}phase: \[secret\]\n(?: {4}.*\n)* {4}nonce: \[secret\]/,
  );
});

test("state masks all secrets, as text and as JSON", async () => {
  const state = await exported("secrets-mesh");
  for (const args of [[], ["--json"]]) {
    const { stdout, code } = await shown(state, ...args);
    expect(code).toBe(0);
    expect(stdout).toContain("[secret]");
    expect(stdout).not.toMatch(/hush|BEGIN (?:RSA |EC )?PRIVATE KEY/);
  }
});

test("state selects resources by name, ID or URN", async () => {
  const state = await exported("workspaces-scheduler");
  const json = async (
    ...names: readonly string[]
  ): Promise<{ type: string; name: string; urn: string; id: string }[]> =>
    JSON.parse((await shown(state, "--json", ...names)).stdout);
  const [object] = await json("object");
  expect(object).toMatchObject({ type: "scheduler:Job", id: "default/object" });
  expect(await json("default/object")).toEqual([object]);
  expect(await json(object?.urn ?? "")).toEqual([object]);
  expect((await json("object", "network")).map(({ name }) => name).sort()).toEqual(["network", "object"]);
  expect(await json("nobody")).toEqual([]);
});

test("state reports records that do not match the outputs, and prints the other resources", async () => {
  const resource = (name: string, outputs: object) => ({
    urn: `urn:pulumi:dev::platform::quarterdeck:mesh:ConfigEntry::${name}`,
    type: "quarterdeck:mesh:ConfigEntry",
    id: `/default/service-defaults/${name}`,
    inputs: {},
    outputs,
  });
  const broken = resource("broken", { name: "edited", __quarterdeck: '{"v":1,"z":"AQAAAAAAAA=="}' });
  const state = JSON.stringify({
    version: 3,
    deployment: { resources: [broken, resource("bare", { name: "bare" })] },
  });
  const { stdout, code } = await shown(state);
  expect(code).toBe(0);
  expect(stdout).toMatch(/"broken".*\n {2}the records in the state do not match the outputs/);
  expect(stdout).toMatch(/"bare".*\n {2}no records: run pulumi refresh/);
});

test.each([
  ["a missing state file", ["--state", "/nowhere/state.json"], 1, /cannot be read \(ENOENT\)/],
  [
    "a file that is not JSON",
    ["--state", "/dev/null"],
    1,
    /^quarterdeck: \/dev\/null: the state is not valid JSON\.\nExport the state with: pulumi stack export/,
  ],
  ["two state sources", ["--state", "a", "--stack", "b"], 64, /cannot be used with/],
])("%s is rejected", async (_, args, status, message) => {
  const whole = [join(ROOT, "cli/quarterdeck.js"), "state", ...args];
  const { code, stderr } = await run(process.execPath, whole).then(
    () => ({ code: 0, stderr: "" }),
    (error) => error,
  );
  expect(code).toBe(status);
  expect(stderr).toMatch(message);
});
