#!/usr/bin/env node
import { run } from "./command/run";

/** Runs the embedded engine in its own process: `node bin.js <the CLI's arguments>`. */
async function main(): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => interrupted.abort());
  process.exitCode = await run(process.argv.slice(2), {
    environment: process.env,
    workingDirectory: process.cwd(),
    console: {
      out: (text) => process.stdout.write(text),
      error: (text) => process.stderr.write(text),
    },
    signal: interrupted.signal,
  });
}

void main();
