import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { scheduler } from "../../sdk";
import { chosenEngine } from "../../testing/tests/engine/comparison/engines";
import { PRIVATE_KEY } from "../../testing/tests/stub/mesh-certificate";
import { IN_STACKS } from "../bridge";
import { compiled } from "../generate/compiled";
import { consoleOn, TOKENS } from "../stack/console";
import { TestStack } from "../stack/stack";
import { makeFound, wholeStories } from "../stack/states/programs";
import { closeWithServices, stackThen } from "../stack/states/recording";
import { programOf } from "./programOf";

// Complete engine commands, on any machine.
jest.setTimeout(600_000);

const ROOT = resolve(__dirname, "../..");
const run = promisify(execFile);
const stories = Object.entries(wholeStories());

/** Secrets that the user has to provide, because no import prints them. */
const SECRETS: Readonly<Record<string, string>> = {
  bindpass: "hush",
  apiToken: "hush",
  privateKey: PRIVATE_KEY,
  SecretsToken: "a token of the secrets service",
};

let made: TestStack | undefined;
let importer: TestStack | undefined;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "import-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await importer?.close();
  if (made) await closeWithServices(made);
  made = undefined;
  importer = undefined;
});

/** The addresses and tokens of the services as environment variables. */
function environment({ stub }: TestStack): Record<string, string> {
  const settings = Object.entries(TOKENS).flatMap(([service, token]) => {
    const name = `QUARTERDECK_${service.toUpperCase()}`;
    return [
      [`${name}_ADDRESS`, stub.addresses[service as keyof typeof TOKENS]] as const,
      [`${name}_TOKEN`, token] as const,
    ];
  });
  return {
    ...Object.fromEntries(settings),
    QUARTERDECK_WORKSPACES_ORGANIZATION: "acme",
    QUARTERDECK_DIALECT: stub.dialect,
  };
}

/** Adds --no-stack if the arguments name no stack or state, because there is no project here. */
const withoutStack = (args: readonly string[]) =>
  args.some((arg) => /^--(?:no-)?sta(?:ck|te)$|^-s$/.test(arg)) ? args : ["--no-stack", ...args];

async function quarterdeck(env: Record<string, string>, ...args: readonly string[]) {
  const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } };
  const ran = await run(
    process.execPath,
    [join(ROOT, "cli/quarterdeck.js"), "import", ...withoutStack(args)],
    options,
  ).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
  for (const secret of [...Object.values(TOKENS), ...Object.values(SECRETS), JSON.stringify(PRIVATE_KEY)])
    expect(ran.stdout + ran.stderr).not.toContain(secret);
  return ran;
}

/** Creates a story's objects with one stack. Returns another stack on the same servers. */
async function stacksOf(name: string): Promise<TestStack> {
  const story = Object.fromEntries(stories)[name];
  made = await stackThen();
  await makeFound(consoleOn(made.stub));
  expect((await made.up(story?.() ?? (async () => undefined))).failure).toBeUndefined();
  importer = await TestStack.open({}, { stub: made.stub });
  await importer.stub.clearRequests();
  return importer;
}

/**
 * The writes that the servers applied. A create with adopt first sends a create-only write, which the server rejects: by
 * its status, or in Consul by the response `false`.
 */
async function carriedOut({ stub }: TestStack): Promise<readonly string[]> {
  const requests = await stub.requests();
  return requests
    .filter(({ method, query }) => method !== "GET" && method !== "LIST" && query.cas !== "0")
    .filter(({ serviceStatus }) => (serviceStatus ?? 0) < 400)
    .map(({ service, method, path }) => `${service} ${method} ${path}`);
}

const every = stories.flatMap(([name]) =>
  (["dynamic", "plugin"] as const).map((bridge) => [name, bridge] as const),
);
const tried = IN_STACKS ? every : every.slice(-1);
test.each(tried)(
  "import --program adopts all of %s on the %s bridge, writes only unreadable secrets, then shows no changes",
  async (name, bridge) => {
    const stack = await stacksOf(name);
    const { code, stderr } = await quarterdeck(environment(stack), "--program", "--out", "index.ts");
    expect([code, stderr]).toEqual([0, expect.stringContaining("to adopt")]);
    const text = readFileSync(join(folder, "index.ts"), "utf8");
    expect(compiled(new Map([["tests/command/taken.ts", text]]))).toEqual([]);
    const settings = [...stderr.matchAll(/config set --secret "(.*)"/g)].map(([, key = ""]) => key);
    for (const key of settings)
      await stack.stack.setConfig(key, {
        value: SECRETS[key.split(".").at(-1) ?? ""] ?? "",
        secret: true,
      });
    await stack.setBridge(bridge);
    const up = await stack.up(programOf(text));
    expect(up.failure).toBeUndefined();
    expect(up.changes).toEqual({ create: (text.match(/^new /gm) ?? []).length + 1 });
    // Secrets that no server returns are written, because they cannot be compared.
    const unseen = settings.filter((key) => /\.(bindpass|apiToken)$/.test(key)).length;
    expect(await carriedOut(stack)).toEqual(
      Array(unseen).fill(expect.stringMatching(/^secrets POST .*(config|method)/)),
    );
    const { failure, changes } = await stack.preview(programOf(text));
    expect(failure).toBeUndefined();
    expect(changes).toEqual({ same: up.changes?.create });
  },
);

test("the import file lists each object once, with its type, a unique name and its import ID", async () => {
  const stack = await stacksOf("workspaces-scheduler");
  const { code, stdout, stderr } = await quarterdeck(environment(stack), "--service", "scheduler");
  expect([code, stderr]).toEqual([0, expect.stringContaining("pulumi import --file <file>")]);
  const { resources } = JSON.parse(stdout);
  expect(resources.length).toBeGreaterThan(3);
  expect(new Set(resources.map(({ name }: { name: string }) => name)).size).toBe(resources.length);
  expect(resources).toContainEqual({
    type: "quarterdeck:scheduler:Job",
    name: expect.stringMatching(/^[\w-]+$/),
    id: expect.stringMatching(/^default\//),
  });
});

test("the import file uses no name that a resource of the same type in the state has", async () => {
  const stack = await stacksOf("workspaces-scheduler");
  const taskGroups = [{ name: "g", tasks: [{ name: "t", driver: "docker" }] }];
  const up = await stack.up(async () => {
    new scheduler.Job("typed", { spec: { id: "other", taskGroups } });
  });
  expect(up.failure).toBeUndefined();
  writeFileSync(join(folder, "state.json"), JSON.stringify(await stack.stack.exportStack()));
  const { stdout } = await quarterdeck(environment(stack), "--service", "scheduler", "--state", "state.json");
  const { resources } = JSON.parse(stdout) as { resources: { id: string; name: string }[] };
  const nameOf = (id: string) => resources.find((resource) => resource.id === id)?.name;
  expect([nameOf("default/typed"), nameOf("default/other")]).toEqual(["typed-job", undefined]);
});

test("import --out does not overwrite an existing file", async () => {
  const stack = await stacksOf("workspaces-scheduler");
  writeFileSync(join(folder, "index.ts"), "// mine\n");
  const { code, stderr } = await quarterdeck(environment(stack), "--program", "--out", "index.ts");
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("index.ts already exists, and was not changed"),
  ]);
  expect(readFileSync(join(folder, "index.ts"), "utf8")).toBe("// mine\n");
});

test("an unreadable object is reported with exit code 3, and the program is still written", async () => {
  const stack = await stacksOf("workspaces-scheduler");
  await stack.stub.fault({
    match: { service: "scheduler", method: "GET", path: "/v1/job/typed" },
    kind: "status",
    status: 403,
    times: "always",
  } as never);
  const { code, stderr } = await quarterdeck(environment(stack), "--program", "-o", "index.ts");
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/^FAIL {2}scheduler:Job default\/typed\s.*403/ms),
  ]);
  expect(existsSync(join(folder, "index.ts"))).toBe(true);
});

(chosenEngine() === "cli" ? test : test.skip).each(stories.map(([name]) => name))(
  "pulumi import accepts the import file of %s, and the generated program changes only unreadable secrets",
  async (name) => {
    const stack = await stacksOf(name);
    await stack.setBridge("plugin");
    const { stdout } = await quarterdeck(environment(stack));
    const { resources } = JSON.parse(stdout);
    const { generatedCode } = await stack.stack.import({ resources, protect: false });
    expect(compiled(new Map([["tests/command/imported.ts", generatedCode]]))).toEqual([]);
    const program = generatedCode.replace(
      /\b(bindpass|apiToken|privateKey): ""/g,
      (_all, key: string) => `${key}: ${JSON.stringify(SECRETS[key])}`,
    );
    const { failure, changes } = await stack.preview(programOf(program));
    expect(failure).toBeUndefined();
    // An update is expected for secrets that no server returns, and for a job's token, which the program does not contain.
    const unread =
      [...generatedCode.matchAll(/\b(bindpass|apiToken): ""/g)].length +
      resources.filter(({ name: called }: { name: string }) => called === "typed").length;
    expect(changes).toMatchObject({
      same: resources.length + 1 - unread,
      ...(unread > 0 && { update: unread }),
    });
    expect(await stack.writes()).toEqual([]);
  },
);
