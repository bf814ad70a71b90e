import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Unserved } from "../../refusal";
import type { DeclaredPlugin } from "../operation/options";

/** The package of all dynamic resources in Node.js programs. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";

/** The command that starts a provider's server. */
export interface Launch {
  /** The file's name in messages. */
  readonly binary: string;
  /** The executable; default: Node, with the script as the first argument. */
  readonly file?: string;
  readonly args: readonly string[];
  /**
   * True if the output is shown: the output of dynamic providers belongs to the program. Output of other plugins is
   * discarded.
   */
  readonly tells: boolean;
}

/**
 * The plugin of a package: the program's own SDK for dynamic resources, otherwise the path from Pulumi.yaml.
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

/** The extensions of an executable, in the order of the search. */
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
