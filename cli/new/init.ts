import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { Command } from "commander";
import { Refusal } from "../refusal";
import { PLUGIN, pluginLines, runtimeIn, withPlugin } from "./projectFile";
import { Unreadable } from "./yamlLines";

/** The runtimes whose programs import the package itself; other languages use an SDK generated from its schema. */
const NODE = ["nodejs", "bun"];

/** `quarterdeck init`. */
export function initCommand(): Command {
  return new Command("init")
    .description("has the programs of this project go by the provider plugin of the installed package")
    .action(() => init(process.cwd(), (sentence) => console.log(sentence)));
}

/**
 * Configures a project to use the provider plugin of the installed package. For TypeScript and JavaScript it edits
 * Pulumi.yaml; for any other language the Pulumi CLI generates an SDK.
 * @param from the project's folder, or a folder inside it
 * @param say receives one sentence for each step
 * @throws Refusal with the remedy; nothing was written then
 */
function init(from: string, say: (sentence: string) => void): void {
  const file = ["Pulumi.yaml", "Pulumi.yml"].flatMap((name) => above(from, name) ?? [])[0];
  if (file === undefined)
    throw new Refusal(
      `there is no Pulumi.yaml in ${from}, nor in a folder above it: make a project there first (pulumi new), or go to where it is`,
    );
  const project = dirname(file);
  const installed = above(project, PLUGIN);
  if (installed === undefined)
    throw new Refusal(`pulumi-quarterdeck is not installed for ${project}: npm install pulumi-quarterdeck`);
  // Other machines may read Pulumi.yaml, so the path has forward slashes.
  const plugin = relative(project, installed).split(sep).join("/");
  const text = readFileSync(file, "utf8");
  const runtime = readable(file, plugin, () => runtimeIn(text));
  if (runtime === undefined) throw new Refusal(`${file} names no runtime`);
  if (!NODE.includes(runtime)) {
    addPackage(project, plugin, say);
    return;
  }
  const { text: edited, done } = readable(file, plugin, () => withPlugin(text, plugin));
  if (done.length === 0) {
    say(`${file} says all of it already; nothing was written`);
    return;
  }
  writeFileSync(file, edited);
  for (const sentence of done) say(`${file}: ${sentence}`);
  say(
    "A stack moves on its own where its own value says so: pulumi config set quarterdeck:bridge dynamic (or plugin)",
  );
}

/** Runs a function on the project file. If the function cannot handle the file, the error shows the text to add by hand. */
function readable<T>(file: string, plugin: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new Refusal(
      `${file} is not changed, because ${error.message}; write this into it by hand:\n\n${pluginLines(plugin)}`,
    );
  }
}

/** For other languages the Pulumi CLI generates the SDK on this machine, and records it in Pulumi.yaml. */
function addPackage(project: string, plugin: string, say: (sentence: string) => void): void {
  const args = ["package", "add", plugin.startsWith(".") ? plugin : `./${plugin}`];
  say(`pulumi ${args.join(" ")}`);
  const { status, error } = spawnSync("pulumi", args, { cwd: project, stdio: "inherit" });
  if (error !== undefined)
    throw new Refusal(
      `the Pulumi CLI cannot be run (${error.message}); once it is on the PATH, run in ${project}: pulumi ${args.join(" ")}`,
    );
  if (status !== 0) throw new Refusal(`pulumi ${args.join(" ")} failed, and says above why`);
}

/** The nearest file or folder with this name, here or in a parent folder; undefined if there is no match. */
function above(from: string, name: string): string | undefined {
  const here = join(from, name);
  if (existsSync(here)) return here;
  const parent = dirname(from);
  return parent === from ? undefined : above(parent, name);
}
