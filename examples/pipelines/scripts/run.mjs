// Programs that the steps call. What a program prints on stderr is shown; what it prints on stdout is the caller's.
import { spawnSync } from "node:child_process";

/** How a program ended, and what it printed. */
export function ran(program, args, { input, show = false, quiet = false } = {}) {
  const { error, status, stdout } = spawnSync(program, args, {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["pipe", show ? "inherit" : "pipe", quiet ? "ignore" : "inherit"],
  });
  if (error) throw new Error(`${program} cannot be started (${error.code})`);
  return { status: status ?? 1, stdout: stdout ?? "" };
}

/** What a program prints; this step fails where the program does. */
export function printed(program, args, options) {
  const { status, stdout } = ran(program, args, options);
  if (status !== 0) throw new Failed(`${program} ${args[0]} failed with status ${status}`);
  return stdout;
}

/** An end of a step that its words tell. */
export class Failed extends Error {}

/** Runs a step: its own words for an end that it knows, and no secret of the environment in any other. */
export async function step(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    console.error(`pipeline: ${error.message}`);
    process.exitCode = 1;
  }
}

/** A variable that the step cannot do without. */
export function variable(name) {
  const value = process.env[name];
  if (value) return value;
  throw new Failed(`the variable ${name} is not set`);
}
