import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** What to run, where, and who gets the lines that it prints. */
export interface Command {
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onOutput: (line: string) => void;
  readonly onError: (line: string) => void;
}

/** A Node process of the deployment's own: a provider host, or the program. */
export class NodeProcess {
  private readonly child: ChildProcess;
  /** Resolves when it has ended and everything that it printed has been handed on. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;

  constructor(command: Command) {
    // A group of its own: Ctrl-C reaches the engine alone, which lets running operations end.
    this.child = spawn(process.execPath, command.args, {
      cwd: command.directory,
      env: { ...process.env, ...command.environment },
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
    });
    this.ended = Promise.all([
      new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
        this.child.once("error", reject);
        this.child.once("exit", (code, signal) => resolve({ code, signal }));
      }),
      lines(this.child.stdout, command.onOutput),
      lines(this.child.stderr, command.onError),
    ]).then(([exit]) => exit);
    // Whoever waits for the end sees the error; nobody has to.
    this.ended.catch(() => {});
  }

  async stop(): Promise<void> {
    this.child.kill("SIGTERM");
    await this.ended.catch(() => {});
  }
}

async function lines(stream: Readable | null, onLine: (line: string) => void): Promise<void> {
  if (!stream) return;
  const reader = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  reader.on("line", (line) => {
    if (line.trim() !== "") onLine(line);
  });
  await once(reader, "close");
}
