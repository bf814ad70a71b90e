import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import Ajv from "ajv/dist/2020";
import type { DriftReport } from "../../cli/drift/report";
import * as quarterdeck from "../../sdk";
import { type Ask, consoleOn } from "../stack/console";
import { TestStack } from "../stack/stack";

// Complete engine commands, on any machine.
jest.setTimeout(120_000);

const ROOT = resolve(__dirname, "../..");
const run = promisify(execFile);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the package's command as npx does, in a folder of its own. */
function quarterdeckIn(cwd: string, ...args: readonly string[]): Promise<Ran> {
  const env = { PATH: process.env.PATH, HOME: cwd };
  return run(process.execPath, [join(ROOT, "cli/quarterdeck.js"), ...args], { cwd, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ran) => ({ code, stdout, stderr }),
  );
}

let stack: TestStack;
let ask: Ask;
let folder: string;

const program: pulumi.automation.PulumiFn = async () => {
  for (const name of ["one", "two", "three"])
    new quarterdeck.secrets.QueueRole(name, {
      name,
      tags: pulumi.secret(`canary-${name}`),
      vhosts: { "/": { read: ".*" } },
    });
  new quarterdeck.mesh.ConfigEntry("api", {
    kind: "service-defaults",
    name: "api",
    spec: { Protocol: "http" },
  });
};

beforeAll(async () => {
  stack = await TestStack.open();
  ask = consoleOn(stack.stub);
  expect((await stack.up(program)).failure).toBeUndefined();
});
afterAll(() => stack.close());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "drift-"));
  writeFileSync(join(folder, "state.json"), JSON.stringify(await stack.stack.exportStack()));
  await stack.stub.clearRequests();
});
afterEach(async () => {
  expect(await stack.writes()).toEqual([]);
  rmSync(folder, { recursive: true, force: true });
});

const drift = (...args: readonly string[]) =>
  quarterdeckIn(folder, "drift", "--state", "state.json", ...args);
const reportOf = async (...args: readonly string[]): Promise<readonly [number, DriftReport]> => {
  const { code, stdout } = await drift("--json", ...args);
  return [code, JSON.parse(stdout)];
};

/** A change by someone else, whose requests are not counted as writes of the command. */
async function changeOutside(change: () => Promise<unknown>): Promise<void> {
  await change();
  await stack.stub.clearRequests();
}

const entry = (Protocol: string) =>
  ask("mesh", "PUT", "/v1/config", { Kind: "service-defaults", Name: "api", Protocol });
const role = (name: string, tags: string) =>
  ask("secrets", "POST", `/v1/rabbitmq/roles/${name}`, { tags, vhosts: '{"/":{"read":".*"}}' });

test("drift of an unchanged stack prints that it is in sync, with exit code 0", async () => {
  const { code, stdout, stderr } = await drift();
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^platform\/dev: 4 in sync \(\d requests, \d\.\d s\)\n$/);
});

describe("drift of a changed stack", () => {
  beforeAll(async () => {
    await entry("grpc");
    await role("one", "canary-theirs");
    await ask("secrets", "DELETE", "/v1/rabbitmq/roles/two");
    await stack.stub.clearRequests();
  });

  test("is printed by resource and field, without secrets, with exit code 2", async () => {
    const { code, stdout } = await drift();
    expect(code).toBe(2);
    expect(stdout).toMatch(/^VERDICT +TYPE +NAME +ID\n(?:.*\n)*drifted +mesh:ConfigEntry +api +\S/);
    expect(stdout).toMatch(/spec\.Protocol {2}"http" {2}"grpc"/);
    expect(stdout).toMatch(/missing +secrets:QueueRole +two +rabbitmq\/two/);
    expect(stdout).toMatch(/tags +\[secret\] +\[secret\]/);
    expect(stdout).toMatch(/dev: 1 missing, 2 drifted, 1 in sync/);
    expect(stdout).not.toContain("canary");
  });

  test("is written as JSON of the published schema, JUnit, Markdown and HTML, without secrets", async () => {
    const [code, report] = await reportOf("--junit", "j.xml", "--markdown", "m.md", "--html", "h.html");
    expect(code).toBe(2);
    const isValid = new Ajv({ formats: { "date-time": true } }).compile(
      JSON.parse(readFileSync(require.resolve("pulumi-quarterdeck/drift/schema.json"), "utf8")),
    );
    expect([isValid(report), isValid.errors]).toEqual([true, null]);
    expect(report.counts).toEqual({ unreadable: 0, missing: 1, drifted: 2, ignored: 0, "in sync": 1 });
    const [junit, markdown, html] = ["j.xml", "m.md", "h.html"].map((file) =>
      readFileSync(join(folder, file), "utf8"),
    );
    expect(junit).toContain('tests="4" failures="3" errors="0" skipped="0"');
    expect(markdown).toContain('| `spec.Protocol` | `"http"` | `"grpc"` |');
    expect(html).toContain('<tr><td>spec.Protocol</td><td class="was">&quot;<mark>http</mark>');
    expect(JSON.stringify([report, junit, markdown, html])).not.toContain("canary");
  });

  test("is limited to the resources of --only", async () => {
    const [code, report] = await reportOf("--only", "mesh:*", "three");
    expect([code, report.resources.map(({ name }) => name).sort()]).toEqual([2, ["api", "three"]]);
    expect((await stack.stub.requests()).length).toBe(report.requests);
    const [codeInSync] = await reportOf("--only", "three");
    expect(codeInSync).toBe(0);
    expect(await drift("--only", "nothing*")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no resource of the stack matches --only nothing*"),
    });
  });

  test("is ignored by --ignore, .quarterdeckignore and --ignore-file", async () => {
    const [code, report] = await reportOf("--ignore", "mesh:ConfigEntry:spec", "--ignore", "*:tags");
    expect([code, report.counts]).toEqual([
      2,
      { unreadable: 0, missing: 1, drifted: 0, ignored: 2, "in sync": 1 },
    ]);
    writeFileSync(join(folder, ".quarterdeckignore"), "# ours\nmesh:*:spec.Protocol\n");
    const [, byFile] = await reportOf();
    expect(byFile.counts).toMatchObject({ ignored: 1, drifted: 1 });
    writeFileSync(join(folder, "other"), "*:tags\n");
    const [, byOther] = await reportOf("--ignore-file", "other");
    expect(byOther.resources.find(({ name }) => name === "one")?.verdict).toBe("ignored");
    expect(byOther.counts).toMatchObject({ ignored: 1, drifted: 1 });
  });

  test("is accepted by --baseline until another value changes", async () => {
    const { stdout } = await drift("--json");
    writeFileSync(join(folder, "known.json"), stdout);
    const [code, report] = await reportOf("--baseline", "known.json", "--ignore", "secrets:QueueRole:tags");
    expect([code, report.counts]).toEqual([
      0,
      { unreadable: 0, missing: 0, drifted: 0, ignored: 3, "in sync": 1 },
    ]);
    await changeOutside(() => entry("http2"));
    const [codeAfterChange] = await reportOf(
      "--baseline",
      "known.json",
      "--ignore",
      "secrets:QueueRole:tags",
    );
    expect(codeAfterChange).toBe(2);
    await changeOutside(() => entry("grpc"));
  });

  test.each([
    [["--ignore", "spec"], 64, /"spec" is\s+not\s+a\s+rule\.\s+Examples:\s+scheduler:Job:spec\.priority/],
    [["--ignore-file", "nowhere"], 1, /nowhere cannot be read \(ENOENT\)/],
    [
      ["--baseline", "state.json"],
      1,
      /state\.json: the baseline is not a drift report\.\nCreate a baseline with: quarterdeck drift --json > FILE/,
    ],
  ])("is rejected with the options %j before any request", async (args, status, message) => {
    const { code, stdout, stderr } = await drift(...args);
    expect([code, stdout, stderr]).toEqual([status, "", expect.stringMatching(message)]);
    expect(await stack.stub.requests()).toEqual([]);
  });

  test("is printed with exit code 1 if the --html file cannot be written", async () => {
    const { code, stdout, stderr } = await drift("--html", "no/such/folder.html");
    expect([code, stderr]).toEqual([1, "quarterdeck: no/such/folder.html cannot be written (ENOENT)\n"]);
    expect(stdout).toContain("1 missing, 2 drifted, 1 in sync");
    expect(existsSync(join(folder, "no"))).toBe(false);
  });
});

test("an unreadable resource makes the exit code 3, and drift of the others is printed", async () => {
  await stack.stub.fault({
    kind: "status",
    status: 403,
    body: "Permission denied",
    match: { service: "mesh" },
    times: "always",
  });
  const { code, stdout } = await drift();
  expect(code).toBe(3);
  expect(stdout).toMatch(/unreadable +mesh:ConfigEntry +api/);
  expect(stdout).toMatch(/missing +secrets:QueueRole +two/);
});
