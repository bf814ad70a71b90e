import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import * as auto from "@pulumi/pulumi/automation";
import { chosenEngine } from "../../../testing/tests/engine/comparison/engines";

const ROOT = resolve(__dirname, "../../..");

/** The last process of a kind, which can be killed. */
export interface KillableProcess {
  /** Kills it without a chance to react, as the operating system does if memory is short. */
  kill(): void;
}

/** This package's plugin in its own folder, in which each process records its process ID. */
export function pluginIn(folder: string): KillableProcess & { readonly path: string } {
  const path = join(folder, "plugin");
  const numbers = join(folder, "plugins");
  mkdirSync(path);
  executable(
    join(path, "pulumi-resource-quarterdeck"),
    `#!${process.execPath}
require("node:fs").appendFileSync(${JSON.stringify(numbers)}, process.pid + "\\n");
require(${JSON.stringify(join(ROOT, "dist/provider/main.js"))}).main();
`,
  );
  return { path, kill: () => killLast(numbers) };
}

/** The dynamic provider hosts of a stack with this environment: each records its process ID in a folder. */
export function hostIn(
  folder: string,
): KillableProcess & { readonly environment: Readonly<Record<string, string>> } {
  const numbers = join(folder, "hosts");
  const first = join(folder, "first.cjs");
  writeFileSync(
    first,
    `if (/cmd.dynamic-provider/.test(process.argv[1]))
  require("node:fs").appendFileSync(${JSON.stringify(numbers)}, process.pid + "\\n");
`,
  );
  return { environment: { NODE_OPTIONS: `--require ${first}` }, kill: () => killLast(numbers) };
}

/**
 * The CLI, started so that its process ID is recorded; nothing for the embedded engine, which is this process. Queries
 * that the Automation API makes after each command are answered without a process, because no test uses them.
 */
export async function engineIn(
  folder: string,
): Promise<(KillableProcess & { readonly command: auto.PulumiCommand }) | undefined> {
  if (chosenEngine() !== "cli") return undefined;
  const numbers = join(folder, "engines");
  const real = (process.env.PATH ?? "")
    .split(delimiter)
    .map((place) => join(place, "pulumi"))
    .find((file) => existsSync(file));
  if (real === undefined) throw new Error("there is no Pulumi CLI on the PATH");
  mkdirSync(join(folder, "bin"));
  executable(
    join(folder, "bin", "pulumi"),
    `#!/bin/sh
case "$1 $2" in
"stack output") echo '{}'; exit;;
"stack history") echo '[{"resourceChanges":{}}]'; exit;;
esac
echo $$ >> ${JSON.stringify(numbers)}
exec ${JSON.stringify(real)} "$@"
`,
  );
  return {
    command: await auto.PulumiCommand.get({ root: folder }),
    kill: () => killLast(numbers),
  };
}

function executable(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

function killLast(numbers: string): void {
  const last = readFileSync(numbers, "utf8").trim().split("\n").at(-1);
  process.kill(Number(last), "SIGKILL");
}
