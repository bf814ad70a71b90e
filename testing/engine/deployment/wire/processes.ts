import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** What to run, where, and who gets the lines that it prints. */
export interface Command {
  /** The program; Node itself where it is left out. */
  readonly file?: string | undefined;
  readonly args: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onOutput: (line: string) => void;
  readonly onError: (line: string) => void;
  /** Whether it has an input of its own, which ends when this process does. */
  readonly input: "none" | "pipe";
  /** What asks it to end. */
  readonly endsOn: "SIGINT" | "SIGTERM";
}

/** How long a process may take to end. */
const PATIENCE_MS = 5_000;

/** A process of the deployment's own: a plugin, or the program. */
export class OwnProcess {
  private readonly child: ChildProcess;
  /** Resolves when it has ended and everything that it printed has been handed on. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;

  constructor(private readonly command: Command) {
    // A group of its own: Ctrl-C reaches the engine alone, which lets running operations end.
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
    // Whoever waits for the end sees the error; nobody has to.
    this.ended.catch(() => {});
  }

  /** Ends it with all that it has started; a process that does not listen is ended without being asked. */
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
      // It has ended by itself.
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
