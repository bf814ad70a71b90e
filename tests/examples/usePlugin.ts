import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

/** Configures a project to use the plugin, as users do. */
export function useThePlugin(cwd: string): void {
  execFileSync(process.execPath, [join(resolve(__dirname, "../.."), "cli/quarterdeck.js"), "init"], { cwd });
}
