import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Unserved } from "../../refusal";
import type { DeclaredPlugin } from "../operation/options";

/** The package of all dynamic resources of Node.js programs. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";

/** How the server of a package's provider is started. */
export interface Launch {
  /** What messages call it: the file that is run. */
  readonly binary: string;
  /** A program that is run as it is; without one Node runs the script that the arguments begin with. */
  readonly file?: string;
  readonly args: readonly string[];
  /** Its lines are told as they come: those of dynamic providers are the program's. Of others nobody sees them. */
  readonly tells: boolean;
}

/**
 * Where the plugin of a package is: with the program's own SDK for dynamic resources, else where Pulumi.yaml says.
 * @param directory the program's folder
 */
export function launchOf(
  packageName: string,
  directory: string,
  declared: readonly DeclaredPlugin[],
): Launch {
  if (packageName === "pulumi") throw new Unserved("stack references");
  if (packageName === DYNAMIC_PACKAGE) {
    const script = dynamicProviderScript(directory);
    return { binary: script, args: [script], tells: true };
  }
  const plugin = declared.find(({ name }) => name === packageName);
  if (!plugin) {
    const hint = "declare its name and path in Pulumi.yaml, under plugins: providers";
    throw new Unserved(`the provider plugin "${packageName}"`, hint);
  }
  const file = executableIn(plugin);
  return { binary: file, file, args: [], tells: false };
}

/** The ends of an executable's name, in the order in which they are looked for. */
const ENDS = process.platform === "win32" ? [".exe", ".cmd"] : [""];

function executableIn({ name, path }: DeclaredPlugin): string {
  const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const file = join(path, `pulumi-resource-${name}`);
  const found = ENDS.map((end) => file + end).find(isFile);
  if (found !== undefined) return found;
  const manifest = join(path, "PulumiPlugin.yaml");
  if (isFile(manifest)) throw new Unserved(`a plugin without an executable, as ${manifest} describes one`);
  throw new Error(
    `failed to load plugin ${file}: loading PulumiPlugin.yaml: open ${manifest}: no such file or directory`,
  );
}

function dynamicProviderScript(directory: string): string {
  try {
    return createRequire(join(directory, "program.js")).resolve("@pulumi/pulumi/cmd/dynamic-provider");
  } catch (cause) {
    throw new Error(
      `@pulumi/pulumi cannot be found from ${directory}: install it there or in a folder above`,
      { cause },
    );
  }
}
