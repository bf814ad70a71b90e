import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** The command of a process, and the receivers of its output. */
export interface Command {
  /** The executable. Default: Node. */
  readonly file?: string | undefined;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onOutput: (line: string) => void;
  readonly onError: (line: string) => void;
  /** `pipe` gives the process a standard input that closes when this process ends. */
  readonly input: "none" | "pipe";
  /** The signal that asks it to end. */
  readonly endsOn: "SIGINT" | "SIGTERM";
}

/** How long a process may take to end after the signal. */
const PATIENCE_MS = 5_000;

/** A child process of the deployment: a plugin or the program. */
export class OwnProcess {
  private readonly child: ChildProcess;
  /** Resolves when the process has ended and all its output has been passed on. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;

  constructor(private readonly command: Command) {
    // Its own process group: Ctrl-C reaches only the engine, which lets running operations end.
    this.child = spawn(command.file ?? process.execPath, command.args, {
      cwd: command.directory,
      env: { ...process.env, ...command.environment },
      stdio: [command.input === "pipe" ? "pipe" : "ignore", "pipe", "pipe"],
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
    // Callers of `ended` observe the error; there may be none.
    this.ended.catch(() => {});
  }

  /** Stops the process and its children; kills them after a timeout. */
  async stop(): Promise<void> {
    this.signal(this.command.endsOn);
    const timer = setTimeout(() => this.signal("SIGKILL"), PATIENCE_MS);
    await this.ended.catch(() => {});
    clearTimeout(timer);
  }

  private signal(name: "SIGINT" | "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.child.kill(name);
      else process.kill(-pid, name);
    } catch {
      // The process has already ended.
    }
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
