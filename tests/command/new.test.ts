import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const QUARTERDECK = resolve(__dirname, "../../cli/quarterdeck.js");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "new-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const makes = (...args: readonly string[]) =>
  execFileSync(process.execPath, [QUARTERDECK, "new", ...args], { cwd: folder, encoding: "utf8" });
const refuses = (...args: readonly string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [QUARTERDECK, "new", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return [status, stderr];
};

test("new without a template prints all templates with the products' names, and creates nothing", () => {
  expect(makes()).toMatch(/^scheduler, nomad +a job on Nomad$/m);
  expect(readdirSync(folder)).toEqual([]);
});

test("new finds a template by its product's name, and uses the folder's name in the files of the project", () => {
  expect(makes("vault", "shop-secrets")).toContain("cd shop-secrets");
  const textOf = (file: string) => readFileSync(join(folder, "shop-secrets", file), "utf8");
  expect(textOf("Pulumi.yaml")).toMatch(/^name: shop-secrets$/m);
  expect(textOf("Pulumi.yaml")).not.toContain("template:");
  expect(JSON.parse(textOf("package.json")).name).toBe("shop-secrets");
  expect(textOf("Pulumi.dev.yaml")).toMatch(/^ {2}identity:token: /m);
  expect(textOf("README.md")).toMatch(/^# shop-secrets$/m);
  expect(textOf(".gitignore")).toContain("node_modules/");
});

test("new without a folder creates one with the template's name, and --name sets the project's name", () => {
  makes("mesh", "--name", "net");
  expect(readFileSync(join(folder, "mesh/Pulumi.yaml"), "utf8")).toMatch(/^name: net$/m);
});

test("new accepts an existing empty folder, and rejects a folder that is not empty", () => {
  mkdirSync(join(folder, "here"));
  expect(makes("consul", "here")).toContain("cd here");
  writeFileSync(join(folder, "mine"), "");
  expect(refuses("consul", ".")).toEqual([1, expect.stringContaining("is not empty")]);
  expect(readdirSync(folder).sort()).toEqual(["here", "mine"]);
});

test("new rejects an unknown template, an invalid name and an unknown platform, and writes nothing", () => {
  expect(refuses("kubernetes")).toEqual([
    1,
    expect.stringMatching(/unknown template "kubernetes".*\nscheduler, nomad/),
  ]);
  expect(refuses("nomad", "My Shop")).toEqual([1, expect.stringContaining("Set it with --name")]);
  expect(refuses("nomad", "shop", "--pipelines", "jenkins")).toEqual([64, expect.stringContaining("github")]);
  expect(readdirSync(folder)).toEqual([]);
});
