// Runs the programs that the steps need. It shows their stderr, and returns their stdout to the caller.
import { spawnSync } from "node:child_process";

/** Runs a program, and returns its exit code and output. */
export function ran(program, args, { input, show = false, quiet = false } = {}) {
  const { error, status, stdout } = spawnSync(program, args, {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["pipe", show ? "inherit" : "pipe", quiet ? "ignore" : "inherit"],
  });
  if (error) throw new Error(`cannot start ${program} (${error.code})`);
  return { status: status ?? 1, stdout: stdout ?? "" };
}

/** Runs a program and returns its output. The step fails if the program fails. */
export function printed(program, args, options) {
  const { status, stdout } = ran(program, args, options);
  if (status !== 0) throw new Failed(`${program} ${args[0]} failed with status ${status}`);
  return stdout;
}

/** An expected failure of a step. Its message is printed without a stack trace. */
export class Failed extends Error {}

/** Runs a step, and prints an expected failure as one line. */
export async function step(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    console.error(`pipeline: ${error.message}`);
    process.exitCode = 1;
  }
}

/** A required environment variable. */
export function variable(name) {
  const value = process.env[name];
  if (value) return value;
  throw new Failed(`the variable ${name} is not set`);
}
