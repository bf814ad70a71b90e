import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const ROOT = resolve(__dirname, "../..");
const run = promisify(execFile);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder with these files, in which the package is installed. */
function project(files: Readonly<Record<string, string>>, isInstalled = true): string {
  const folder = mkdtempSync(join(tmpdir(), "init-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  if (isInstalled) {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(ROOT, join(folder, "node_modules/pulumi-quarterdeck"), "junction");
  }
  return folder;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the package's command as npx does; its exit code and output. */
function quarterdeck(cwd: string, args: readonly string[], path = ""): Promise<Ran> {
  const env = { ...process.env, PATH: [path, process.env.PATH].join(delimiter) };
  return run(process.execPath, [join(ROOT, "cli/quarterdeck.js"), ...args], { cwd, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ran) => ({ code, stdout, stderr }),
  );
}

const NODE = { "Pulumi.yaml": "name: shop\nruntime: nodejs\n" };

test("init adds the missing entries to a TypeScript project and prints them; a second run changes nothing", async () => {
  const folder = project(NODE);
  const first = await quarterdeck(folder, ["init"]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain(
    "plugins.providers: added quarterdeck, path node_modules/pulumi-quarterdeck/plugin",
  );
  expect(first.stdout).toContain("config: set quarterdeck:bridge to plugin");
  const written = readFileSync(join(folder, "Pulumi.yaml"), "utf8");
  expect(written).toBe(
    "name: shop\nruntime: nodejs\nplugins:\n  providers:\n    - name: quarterdeck\n" +
      "      path: node_modules/pulumi-quarterdeck/plugin\nconfig:\n  quarterdeck:bridge: plugin\n",
  );
  const second = await quarterdeck(folder, ["init"]);
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing was written") });
  expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toBe(written);
});

test("init finds the project in a parent folder, and the package in a folder above the project", async () => {
  const folder = project({ "apps/shop/Pulumi.yaml": NODE["Pulumi.yaml"], "apps/shop/src/index.ts": "" });
  expect(await quarterdeck(join(folder, "apps/shop/src"), ["init"])).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, "apps/shop/Pulumi.yaml"), "utf8")).toContain(
    "path: ../../node_modules/pulumi-quarterdeck/plugin\n",
  );
});

test("init without a Pulumi.yaml fails with a remedy", async () => {
  const { code, stderr } = await quarterdeck(project({}), ["init"]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/there is no Pulumi\.yaml in .*\n.*pulumi new/)]);
});

test("init fails with a remedy if the package is not installed", async () => {
  const { code, stderr } = await quarterdeck(project(NODE, false), ["init"]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/npm install pulumi-quarterdeck/)]);
});

test("init does not change a Pulumi.yaml that it cannot edit safely, and prints the lines to add", async () => {
  const folder = project({ "Pulumi.yaml": "name: shop\nruntime: nodejs\nconfig: {}\n" });
  const { code, stderr } = await quarterdeck(folder, ["init"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("    - name: quarterdeck\n")]);
  expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toBe("name: shop\nruntime: nodejs\nconfig: {}\n");
});

test("init in a Python project runs pulumi package add, and does not change Pulumi.yaml", async () => {
  const text = "name: shop\nruntime: python\n";
  const folder = project({
    "Pulumi.yaml": text,
    "path/pulumi": '#!/bin/sh\necho "asked in $(basename "$PWD"): $*"\nexit 3\n',
  });
  chmodSync(join(folder, "path/pulumi"), 0o755);
  const { code, stdout, stderr } = await quarterdeck(folder, ["init"], join(folder, "path"));
  expect(stdout).toMatch(/asked in init-\w+: package add \.\/node_modules\/pulumi-quarterdeck\/plugin/);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/failed; see the output above/)]);
  expect(readFileSync(join(folder, "Pulumi.yaml"), "utf8")).toBe(text);
});

test("a missing or unknown subcommand or argument prints a hint to the help, with exit code 64", async () => {
  const folder = project(NODE);
  for (const [args, hint] of [
    [[], /^Usage:/],
    [["start"], /^Run "quarterdeck --help" for usage\.$/m],
    [["init", "now"], /^Run "quarterdeck init --help" for usage\.$/m],
  ] as const)
    expect(await quarterdeck(folder, args)).toMatchObject({ code: 64, stderr: expect.stringMatching(hint) });
  expect(await quarterdeck(folder, ["--help"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Usage:"),
  });
});
