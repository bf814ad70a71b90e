// Runs other scripts of this repository, shows what they print, and keeps a copy to count tests in.
import { spawn } from "node:child_process";
import { join } from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM"];

/** The status of a script that ran out of time, in place of an exit code. */
export const OUT_OF_TIME = "no more time";

/**
 * Runs a script of this folder.
 * @param seconds the time limit; without it, none
 * @returns the exit code, or OUT_OF_TIME, and what was printed
 */
export function run(script, args, { env = {}, seconds } = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
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
    const timers = [];
    if (seconds !== undefined) {
      const interrupt = () => {
        isLate = true;
        pass("SIGINT");
        timers.push(setTimeout(pass, 30_000, "SIGKILL"));
      };
      timers.push(setTimeout(interrupt, seconds * 1000));
    }
    child.on("close", (status) => {
      for (const timer of timers) clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, pass);
      resolve({ status: isLate ? OUT_OF_TIME : (status ?? 1), printed });
    });
  });
}
