import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { TEMPLATES } from "../../cli/new/templates";
import { IN_STACKS } from "../bridge";
import { areFound } from "../languages/project";
import { type Installed, installPacked } from "./packed";

const ROOT = resolve(__dirname, "../..");
const run = promisify(execFile);
const NAMES = TEMPLATES.map(({ name }) => name);
const textOf = (...path: readonly string[]) =>
  readFileSync(join(ROOT, "examples/templates", ...path), "utf8");

let installed: Installed;
beforeAll(() => {
  installed = installPacked();
}, 120_000);
afterAll(() => installed.remove());

/** Runs a program in a folder, and returns its output, which begins with "failed" if the program failed. */
function outputOf(cwd: string, program: string, ...args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_HOME: join(installed.folder, "home"),
    PATH: [dirname(process.execPath), join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter),
  };
  return run(program, args, { cwd, env, maxBuffer: 2 ** 24 }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `failed: ${stdout}${stderr}`,
  );
}

/** Creates a project with the packed package's command, and installs the packages. */
async function made(template: string, folder: string, ...options: readonly string[]): Promise<string> {
  const quarterdeck = join(installed.folder, "node_modules/pulumi-quarterdeck/cli/quarterdeck.js");
  const printed = await outputOf(
    installed.folder,
    process.execPath,
    quarterdeck,
    "new",
    template,
    folder,
    ...options,
  );
  expect(printed).toMatch(/^Created /);
  const project = join(installed.folder, folder);
  symlinkSync(join(installed.folder, "node_modules"), join(project, "node_modules"), "junction");
  return project;
}

/**
 * A run of the tests deploys one template, which uses all services, and compiles the others. A run of stacks deploys
 * all templates on both bridges.
 */
const BRIDGED = NAMES.flatMap((name) => {
  if (IN_STACKS) return ["plugin", "dynamic"].map((bridge) => ({ name, bridge }));
  return name === "platform" ? [{ name, bridge: "plugin" }] : [];
});
const COMPILED = NAMES.filter((name) => name !== "platform");

test.each(BRIDGED)(
  "a project of $name compiles, and its own test passes on the $bridge bridge",
  async ({ name, bridge }) => {
    const project = await made(name, `${name}-${bridge}`);
    const file = join(project, "Pulumi.yaml");
    const text = readFileSync(file, "utf8");
    expect(text).toContain("quarterdeck:bridge: plugin");
    writeFileSync(file, text.replace("quarterdeck:bridge: plugin", `quarterdeck:bridge: ${bridge}`));
    const before = readdirSync(project);
    const printed = await outputOf(project, "npm", "test");
    expect(printed).not.toMatch(/^failed/);
    expect(printed).toMatch(/^. pass 1$/m);
    // Only the compiled files are left of the test's stack.
    expect(readdirSync(project).sort()).toEqual([...before, "bin"].sort());
  },
  180_000,
);

(IN_STACKS ? test.skip : test).each(COMPILED)(
  "a project of %s compiles",
  async (name) => {
    expect(await outputOf(await made(name, name), "npm", "run", "build")).not.toMatch(/^failed/);
  },
  180_000,
);

test("a project has only the pipelines of the selected platform", async () => {
  const files = async (folder: string, ...options: readonly string[]) =>
    readdirSync(await made("mesh", folder, ...options), { recursive: true })
      .map(String)
      .filter((file) => /\.(ya?ml|mjs)$/.test(file) && !file.includes("node_modules"))
      .sort();
  const github = await files("github");
  expect(github).toContain(".github/workflows/preview.yml");
  expect(github).toContain("pipelines/scripts/github/comment.mjs");
  expect(github.filter((file) => file.includes("gitlab"))).toEqual([]);
  const gitlab = await files("gitlab", "--pipelines", "gitlab");
  expect(gitlab).toContain(".gitlab-ci.yml");
  expect(gitlab).toContain("pipelines/scripts/gitlab/comment.mjs");
  expect(gitlab.filter((file) => file.includes("github"))).toEqual([]);
  expect(await files("none", "--pipelines", "none")).toEqual(["Pulumi.dev.yaml", "Pulumi.yaml"]);
});

test.each(NAMES)("the template %s has the placeholders of `pulumi new`, and generates no SDK", (name) => {
  const project = parse(textOf(name, "Pulumi.yaml"));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what `pulumi new` fills in
  expect(project).toMatchObject({ name: "${PROJECT}", description: "${DESCRIPTION}", runtime: "nodejs" });
  expect(project.template.description).toBeTruthy();
  expect(project.packages).toBeUndefined();
});

test("the templates require this version, and the package's peer dependencies and engines", () => {
  const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  for (const name of NAMES) {
    const { dependencies, devDependencies, engines } = JSON.parse(textOf(name, "package.json"));
    expect(dependencies).toEqual({ ...own.peerDependencies, "pulumi-quarterdeck": `^${own.version}` });
    expect(devDependencies).toEqual({
      "@types/node": own.devDependencies["@types/node"],
      "pulumi-quarterdeck-testing": `^${own.version}`,
      typescript: own.devDependencies.typescript,
    });
    expect(engines).toEqual(own.engines);
  }
});

test("package.json and tsconfig.json are the same in all templates", () => {
  for (const file of ["package.json", "tsconfig.json"])
    expect(new Set(NAMES.map((name) => textOf(name, file))).size).toBe(1);
  expect(readdirSync(join(ROOT, "examples/templates")).sort()).toEqual([...NAMES].sort());
});

const onTheCli = areFound("pulumi", "pulumi-language-nodejs") ? test : test.skip;
onTheCli(
  "pulumi install in a new project does not change package.json, and generates no SDK",
  async () => {
    const project = await made("mesh", "cli");
    // The packages are linked already. Only the effect of `pulumi install` on the project is tested.
    mkdirSync(join(installed.folder, "path"), { recursive: true });
    writeFileSync(join(installed.folder, "path/npm"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
    const manifest = readFileSync(join(project, "package.json"), "utf8");
    const path = [join(installed.folder, "path"), process.env.PATH].join(delimiter);
    const printed = await outputOf(project, "env", `PATH=${path}`, "pulumi", "install");
    expect(printed).not.toMatch(/^failed/);
    expect(readFileSync(join(project, "package.json"), "utf8")).toBe(manifest);
    expect(existsSync(join(project, "sdks"))).toBe(false);
  },
  300_000,
);

onTheCli(
  "pulumi new creates a project from each template without placeholders",
  async () => {
    const templates = join(installed.folder, "node_modules/pulumi-quarterdeck/examples/templates");
    for (const name of NAMES) {
      const project = join(installed.folder, `new-${name}`);
      mkdirSync(project);
      const asked = ["--name", `made-${name}`, "--description", "Made.", "--generate-only", "--yes"];
      const printed = await outputOf(project, "pulumi", "new", join(templates, name), ...asked);
      expect(printed).not.toMatch(/^failed/);
      const settings = parse(readFileSync(join(project, "Pulumi.yaml"), "utf8"));
      expect(settings).toMatchObject({ name: `made-${name}`, description: "Made." });
      const texts = readdirSync(project).filter((file) => file !== "test");
      expect(texts).toContain("Pulumi.dev.yaml");
      for (const file of texts)
        expect(readFileSync(join(project, file), "utf8")).not.toMatch(/\$\{(PROJECT|DESCRIPTION)\}/);
    }
  },
  300_000,
);
