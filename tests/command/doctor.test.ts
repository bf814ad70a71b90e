import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Stub, startStub } from "../../testing/stub";
import { TOKENS } from "../stack/console";

const ROOT = resolve(__dirname, "../..");
const run = promisify(execFile);
let stub: Stub;
let folder: string;
beforeAll(async () => {
  stub = await startStub({ dialect: "neutral" });
  folder = mkdtempSync(join(tmpdir(), "doctor-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stub.stop();
});

async function doctor(token: string, ...args: readonly string[]) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    QUARTERDECK_MESH_ADDRESS: stub.addresses.mesh,
    QUARTERDECK_MESH_TOKEN: token,
    QUARTERDECK_MESH_DIALECT: "neutral",
  };
  const asked = [join(ROOT, "cli/quarterdeck.js"), "doctor", ...args];
  const ran = await run(process.execPath, asked, { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
  expect(ran.stdout + ran.stderr).not.toContain(token);
  return ran;
}

test("doctor outside a project checks the environment, prints at most 80 columns, and prints no token", async () => {
  const { code, stdout } = await doctor("canary-wrong");
  expect(code).toBe(2);
  expect(stdout).toMatch(/^this machine\n {2}OK {4}Node /);
  expect(stdout.replaceAll(/\n {8,}/g, " ")).toMatch(
    / {2}OK {4}settings +address from QUARTERDECK_MESH_ADDRESS; token from QUARTERDECK_MESH_TOKEN; /,
  );
  expect(stdout).toMatch(
    / {2}FAIL {2}reads +entries are not shown: 403 .*\n +Check the token.*\n +Run: export QUARTERDECK_MESH_TOKEN=<token>\n/,
  );
  expect(stdout).toMatch(/\n\d failed, \d warnings, \d+ skipped, \d+ OK\n$/);
  const long = stdout.split("\n").filter((line: string) => line.length > 80 && !line.includes("Run: "));
  expect(long).toEqual([]);
});

test("doctor --json prints the findings, and the exit code is 2 for any FAIL", async () => {
  const { code, stdout } = await doctor(TOKENS.mesh, "--json");
  const { findings } = JSON.parse(stdout);
  // This machine may not have the Pulumi CLI.
  const left = findings.filter(({ status }: { status: string }) => status === "FAIL");
  expect(left.filter(({ what }: { what: string }) => what !== "Pulumi CLI")).toEqual([]);
  expect(code).toBe(left.length === 0 ? 0 : 2);
});
