import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { areFound, Project } from "../languages/project";

const tried = areFound("pulumi", "pulumi-language-nodejs") ? test : test.skip;

tried(
  "pulumi install after init does not change package.json, and generates no SDK",
  async () => {
    const project = new Project("tests/command/project", {}, "none");
    try {
      // Only the decisions of `pulumi install` are tested: npm finds the package in a folder.
      const kept = join(project.folder, "kept");
      mkdirSync(kept);
      const description = { name: "pulumi-quarterdeck", version: "0.1.0" };
      writeFileSync(join(kept, "package.json"), JSON.stringify(description));
      symlinkSync(
        resolve("node_modules/commander"),
        join(project.folder, "node_modules/commander"),
        "junction",
      );
      expect(await project.outputOf("quarterdeck", "init")).toContain("set quarterdeck:bridge to plugin");
      const manifest = readFileSync(join(project.folder, "package.json"), "utf8");
      const printed = await project.outputOf("pulumi", "install");
      expect(printed).not.toMatch(/^failed/);
      expect(readFileSync(join(project.folder, "package.json"), "utf8")).toBe(manifest);
      expect(existsSync(join(project.folder, "sdks"))).toBe(false);
    } finally {
      project.remove();
    }
  },
  300_000,
);
