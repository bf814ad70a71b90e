import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { type Ask, consoleOn } from "../stack/console";
import { TestStack } from "../stack/stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

const ROOT = resolve(__dirname, "../..");

const program: pulumi.automation.PulumiFn = async () => {
  new quarterdeck.mesh.ServiceDefaults("api", { name: "api", spec: { protocol: "http" } });
  new quarterdeck.secrets.QueueRole("role", { name: "role", tags: pulumi.secret("canary-ours") });
};

let stack: TestStack;
let ask: Ask;
let folder: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  stack = await TestStack.open();
  ask = consoleOn(stack.stub);
  expect((await stack.up(program)).failure).toBeUndefined();
  folder = mkdtempSync(join(tmpdir(), "drift-watch-"));
  writeFileSync(join(folder, "state.json"), JSON.stringify(await stack.stack.exportStack()));
});
afterEach(async () => {
  child?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  await stack.close();
});

const protocol = (Protocol: string) =>
  ask("mesh", "PUT", "/v1/config", { Kind: "service-defaults", Name: "api", Protocol });

/** The running command: waits for a pattern in its output, or ends it. */
function watching(...args: readonly string[]) {
  const own = spawn(
    process.execPath,
    [join(ROOT, "cli/quarterdeck.js"), "drift", "--state", "state.json", "--watch", ...args],
    { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } },
  );
  child = own;
  let [stdout, stderr] = ["", ""];
  own.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  own.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const code = new Promise<number | null>((ended) => own.once("close", ended));
  const until = async (pattern: RegExp) => {
    for (let tries = 0; tries < 3000 && !pattern.test(stdout); tries++)
      await new Promise((next) => setTimeout(next, 10));
    expect([stdout, stderr]).toEqual([expect.stringMatching(pattern), ""]);
  };
  const end = async (signal: NodeJS.Signals) => {
    own.kill(signal);
    return { code: await code, stdout, stderr };
  };
  return { until, end, own, code };
}

test("drift --watch prints changes as text, and exits with the code of the last state", async () => {
  const own = watching("--interval", "1");
  await own.until(/dev: 2 in sync\n {2}1 watched live, 1 polled every 1 s\n/);
  await protocol("grpc");
  await own.until(
    /drifted {2}mesh:ServiceDefaults {2}api\s+\S+\n {2}field +was +is\n {2}spec\.protocol {2}"http" {2}"grpc"\n/,
  );
  await ask("secrets", "POST", "/v1/rabbitmq/roles/role", { tags: "canary-theirs" });
  await own.until(/drifted {2}secrets:QueueRole {2}role/);
  const { code, stdout } = await own.end("SIGINT");
  expect(code).toBe(2);
  expect(stdout).toMatch(/UTC {2}2 drifted\n$/);
  expect(stdout).not.toContain("canary");
});

test("drift --watch --json prints one object per line, and exits with 0 if the last state is in sync", async () => {
  const own = watching("--json");
  await own.until(/"event":"began"/);
  await protocol("grpc");
  await own.until(/"verdict":"drifted"/);
  await protocol("http");
  await own.until(/"verdict":"in sync"/);
  const { code, stdout } = await own.end("SIGTERM");
  expect(code).toBe(0);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.map(({ event, verdict }) => verdict ?? event)).toEqual([
    "began",
    "drifted",
    "in sync",
    "ended",
  ]);
});

test("drift --watch ends if its output is closed", async () => {
  const own = watching("--json");
  await own.until(/"event":"began"/);
  own.own.stdout.destroy();
  await protocol("grpc");
  expect(await own.code).toBe(2);
});

test.each([
  [["--html", "x.html"], /cannot be used with/],
  [["--interval", "0"], /Use\s+seconds,\s+from\s+1/],
])("drift --watch rejects %s", async (args, message) => {
  const own = watching(...args);
  let stderr = "";
  own.own.stderr.on("data", (text) => {
    stderr += text;
  });
  expect(await own.code).toBe(64);
  expect(stderr).toMatch(message);
});
