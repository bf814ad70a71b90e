// Runs other scripts of this repository, shows what they print, and keeps a copy to count tests in.
import { spawn } from "node:child_process";
import { join } from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM"];

/** The exit code of a script that ran out of time. */
export const OUT_OF_TIME = "no more time";

/**
 * Runs a script of this folder, or a program of node_modules/.bin.
 * @param seconds the time limit; without it, none
 * @returns the exit code, or OUT_OF_TIME, and what was printed
 */
export function run(script, args, { env = {}, seconds } = {}) {
  const isScript = script.endsWith(".mjs");
  const command = isScript ? process.execPath : script;
  const all = isScript ? [join(import.meta.dirname, script), ...args] : args;
  return new Promise((resolve) => {
    const child = spawn(command, all, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
      // A group of its own: jest's workers end with it.
      detached: true,
    });
    let printed = "";
    let isLate = false;
    for (const stream of ["stdout", "stderr"])
      child[stream].on("data", (chunk) => {
        process[stream].write(chunk);
        printed += chunk;
      });
    const pass = (signal) => process.kill(-child.pid, signal);
    for (const signal of SIGNALS) process.on(signal, pass);
    const timer =
      seconds === undefined
        ? undefined
        : setTimeout(() => {
            isLate = true;
            pass("SIGINT");
            setTimeout(() => child.exitCode ?? pass("SIGKILL"), 30_000).unref();
          }, seconds * 1000);
    child.on("close", (status) => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, pass);
      resolve({ status: isLate ? OUT_OF_TIME : (status ?? 1), printed });
    });
  });
}
