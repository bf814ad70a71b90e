import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { CANARIES, terraformObjects } from "../discover/terraform/objects";
import { compiled } from "../generate/compiled";
import { consoleOn, TOKENS } from "../stack/console";
import { TestStack } from "../stack/stack";
import { programOf } from "./programOf";

// Complete engine commands, on any machine.
jest.setTimeout(600_000);

const ROOT = resolve(__dirname, "../..");
const run = promisify(execFile);

let stack: TestStack;
let folder: string;
let state: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "migration-"));
  stack = await TestStack.open();
  state = await terraformObjects(consoleOn(stack.stub));
  writeFileSync(join(folder, "state.json"), state);
  await stack.stub.clearRequests();
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await stack.close();
});

function environment(): Record<string, string> {
  const settings = Object.entries(TOKENS).flatMap(([service, token]) => {
    const name = `QUARTERDECK_${service.toUpperCase()}`;
    return [
      [`${name}_ADDRESS`, stack.stub.addresses[service as keyof typeof TOKENS]] as const,
      [`${name}_TOKEN`, token] as const,
    ];
  });
  return { ...Object.fromEntries(settings), QUARTERDECK_WORKSPACES_ORGANIZATION: "acme" };
}

async function quarterdeck(...args: readonly string[]) {
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...environment() } };
  const ran = await run(
    process.execPath,
    [join(ROOT, "cli/quarterdeck.js"), "import", ...args],
    options,
  ).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
  for (const secret of [...Object.values(TOKENS), ...Object.values(CANARIES)])
    expect(ran.stdout + ran.stderr).not.toContain(secret);
  return ran;
}

const migrated = (name: string) => readFileSync(join(folder, "migration", name), "utf8");

/** The value of each secret that the program reads, by the end of its name. */
const SECRETS: Readonly<Record<string, string>> = {
  sensitiveValue: CANARIES.variable,
  items: JSON.stringify({ key: CANARIES.items }),
  "data.password": CANARIES.kv,
  connectionUri: "http://broker:15672",
  username: "admin",
  password: CANARIES.broker,
};

test("the objects of a Terraform state are migrated to a stack without a write, except values that no server returns", async () => {
  const { code, stderr } = await quarterdeck("--no-stack", "--from-terraform", "state.json", "--program");
  expect([code, stderr]).toEqual([3, expect.stringContaining("SKIP tfe_organization.acme, ")]);
  expect((await stack.writes()).length).toBe(0);
  const files = readdirSync(join(folder, "migration"));
  expect(files.sort()).toEqual([
    "import.tf",
    "index.ts",
    "removed.tf",
    "report.md",
    "resources.json",
    "state-rm.sh",
  ]);
  for (const name of files)
    for (const canary of Object.values(CANARIES)) expect(migrated(name)).not.toContain(canary);
  const text = migrated("index.ts");
  expect(compiled(new Map([["tests/command/migrated.ts", text]]))).toEqual([]);
  const settings = [...migrated("report.md").matchAll(/config set --secret "(.*?)"/g)];
  expect(settings.length).toBe((text.match(/config\.requireSecret/g) ?? []).length);
  const printed = [...stderr.matchAll(/^Set the secret: (pulumi config set --secret ".*?")/gm)];
  expect(printed.map(([, command]) => command)).toEqual(settings.map(([command]) => `pulumi ${command}`));
  for (const [, name = ""] of settings) {
    const [, value] = Object.entries(SECRETS).find(([end]) => name.endsWith(end)) ?? [];
    await stack.stack.setConfig(name, { value: value ?? "", secret: true });
  }
  const resources = (text.match(/^(?:const \w+ = )?new quarterdeck/gm) ?? []).length;
  const up = await stack.up(programOf(text));
  expect(up.failure).toBeUndefined();
  expect(up.changes).toEqual({ create: resources + 1 });
  const unseen = [
    ...Array(2).fill(expect.stringMatching(/^secrets POST .*auth\/people\/users\//)),
    expect.stringMatching(/^secrets POST .*queue\/config\/connection$/),
    ...Array(3).fill(expect.stringMatching(/^workspaces PATCH .*\/vars\//)),
  ];
  expect((await applied()).toSorted()).toEqual(unseen);
  const { failure, changes } = await stack.preview(programOf(text));
  expect(failure).toBeUndefined();
  expect(changes).toEqual({ same: resources + 1 });
});

/** The writes that the servers applied; see import.test.ts. */
async function applied(): Promise<readonly string[]> {
  const requests = await stack.stub.requests();
  return requests
    .filter(({ method, query }) => method !== "GET" && method !== "LIST" && query.cas !== "0")
    .filter(({ serviceStatus }) => (serviceStatus ?? 0) < 400)
    .map(({ service, method, path }) => `${service} ${method} ${path}`);
}

test("a plan that does not only forget the migrated objects fails the check", async () => {
  await quarterdeck(
    "--no-stack",
    "--from-terraform",
    "state.json",
    "--service",
    "scheduler",
    "--out-dir",
    "migrated",
  );
  const migrated: { readonly address: string }[] = JSON.parse(
    readFileSync(join(folder, "migrated/resources.json"), "utf8"),
  );
  expect(migrated.length).toBe(12);
  const plan = (actions: readonly string[]) =>
    writeFileSync(
      join(folder, "plan.json"),
      JSON.stringify({
        format_version: "1.2",
        configuration: { root_module: {} },
        resource_changes: migrated.map(({ address }) => ({ address, mode: "managed", change: { actions } })),
      }),
    );
  const wrong = await quarterdeck("--no-stack", "--from-terraform", "state.json", "--plan", "state.json");
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("the file is not a plan in JSON") });
  plan(["forget"]);
  const check = ["--check-plan", "plan.json", "--out-dir", "migrated"];
  expect(await quarterdeck(...check)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("Migrated objects: 12. The plan keeps none of them"),
  });
  plan(["delete"]);
  expect(await quarterdeck(...check)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'FAIL nomad_namespace.team["shop"]: the plan deletes the object (delete): add its block',
    ),
  });
  expect(await quarterdeck("--no-stack", "--plan", "plan.json")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--plan needs --from-terraform or --from-stack"),
  });
  expect((await quarterdeck("--no-stack", "--type", "job")).stderr).toMatch(/Did you mean\s+scheduler:Job\?/);
  writeFileSync(join(folder, "empty.json"), JSON.stringify({ version: 4, resources: [] }));
  const empty = await quarterdeck("--no-stack", "--from-terraform", "empty.json", "--out-dir", "none");
  expect(empty).toMatchObject({ code: 1, stderr: expect.stringContaining("no object can be migrated") });
  expect(existsSync(join(folder, "none"))).toBe(false);
  const again = await quarterdeck("--no-stack", "--from-terraform", "state.json", "--out-dir", "migrated");
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("migrated already exists, and was not changed"),
  });
});
