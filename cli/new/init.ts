import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { Command } from "commander";
import { helpSections } from "../help";
import { Refusal } from "../refusal";
import { PLUGIN, pluginLines, runtimeIn, withPlugin } from "./projectFile";
import { Unreadable } from "./yamlLines";

/** The runtimes whose programs import the package itself; other languages use an SDK generated from its schema. */
const NODE = ["nodejs", "bun"];

/** `quarterdeck init`. */
export function initCommand(): Command {
  return new Command("init")
    .summary("Configure a project to use the plugin")
    .description("Configure this project to use the plugin of the installed package")
    .addHelpText("after", HELP)
    .action(() => init(process.cwd(), (sentence) => console.log(sentence)));
}

const HELP = helpSections({
  notes:
    "For TypeScript and JavaScript, the command edits Pulumi.yaml. For other languages, it runs pulumi package add. To use dynamic providers in one stack:\n  pulumi config set quarterdeck:bridge dynamic",
  examples: ["npm install pulumi-quarterdeck && npx quarterdeck init"],
  exitCodes: { 0: "Success, or nothing to change", 1: "Error: Pulumi.yaml was not changed" },
});

/**
 * Configures a project to use the plugin of the installed package. For TypeScript and JavaScript it edits
 * Pulumi.yaml; for any other language the Pulumi CLI generates an SDK.
 * @param from the project's folder, or a folder inside it
 * @param say receives one sentence for each step
 * @throws Refusal with the remedy; nothing was written then
 */
function init(from: string, say: (sentence: string) => void): void {
  const file = ["Pulumi.yaml", "Pulumi.yml"].flatMap((name) => above(from, name) ?? [])[0];
  if (file === undefined)
    throw new Refusal(
      `there is no Pulumi.yaml in ${from} or a folder above it.\nCreate a project (pulumi new), or run this command in the folder of a project`,
    );
  const project = dirname(file);
  const installed = above(project, PLUGIN);
  if (installed === undefined)
    throw new Refusal(
      `pulumi-quarterdeck is not installed for ${project}.\nRun: npm install pulumi-quarterdeck`,
    );
  // Other machines may read Pulumi.yaml, so the path has forward slashes.
  const plugin = relative(project, installed).split(sep).join("/");
  const text = readFileSync(file, "utf8");
  const runtime = readable(file, plugin, () => runtimeIn(text));
  if (runtime === undefined) throw new Refusal(`${file} has no runtime`);
  if (!NODE.includes(runtime)) {
    addPackage(project, plugin, say);
    return;
  }
  const { text: edited, done } = readable(file, plugin, () => withPlugin(text, plugin));
  if (done.length === 0) {
    say(`${file} is already configured; nothing was written`);
    return;
  }
  writeFileSync(file, edited);
  for (const sentence of done) say(`${file}: ${sentence}`);
  say("Override this setting for a stack: pulumi config set quarterdeck:bridge dynamic (or plugin)");
}

/** Runs a function on the project file. If the function cannot handle the file, the error shows the text to add by hand. */
function readable<T>(file: string, plugin: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new Refusal(
      `${file} was not changed: ${error.message}.\nAdd these lines yourself:\n\n${pluginLines(plugin)}`,
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
      `the Pulumi CLI cannot be run (${error.message}).\nAdd the Pulumi CLI to the PATH, and run in ${project}: pulumi ${args.join(" ")}`,
    );
  if (status !== 0) throw new Refusal(`pulumi ${args.join(" ")} failed; see the output above`);
}

/** The nearest file or folder with this name, here or in a parent folder; undefined if there is no match. */
function above(from: string, name: string): string | undefined {
  const here = join(from, name);
  if (existsSync(here)) return here;
  const parent = dirname(from);
  return parent === from ? undefined : above(parent, name);
}
