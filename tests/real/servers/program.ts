import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** The timeouts for the start and for the end of a program. */
const READY_MS = 60_000;
const ENDED_MS = 15_000;

/** A running program. */
export interface Started {
  readonly pid: number;
  stop(): Promise<void>;
  /** Kills it immediately, as a power failure does. */
  kill(): Promise<void>;
}

export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The user that runs it, if it does not run as root. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Resolves to true when the program is ready. */
  isReady(): Promise<boolean>;
}

/** Starts a program and waits until it is ready. If it exits or the time is over, the error contains its log. */
export async function start({ program, args, env = {}, folder, user, isReady }: Launch): Promise<Started> {
  const log = `${folder}/${program.split("/").at(-1)}.log`;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...user,
  });
  const file = createWriteStream(log);
  child.stdout?.pipe(file);
  child.stderr?.pipe(file);
  let failure: Error | undefined;
  child.once("error", (error) => {
    failure = error;
  });
  const until = Date.now() + READY_MS;
  while (!(await isReady().catch(() => false))) {
    if (failure) throw failure;
    if (hasEnded(child)) throw new Error(`${program} ended before it answered; its log: ${endOf(log)}`);
    if (Date.now() > until) {
      await stop(child);
      throw new Error(`${program} did not answer within ${READY_MS / 1000} s; its log: ${endOf(log)}`);
    }
    await delay(100);
  }
  return {
    pid: child.pid ?? 0,
    async stop() {
      // A program that has already exited failed during the tests.
      if (hasEnded(child)) throw new Error(`${program} exited; its log: ${endOf(log)}`);
      await stop(child);
    },
    async kill() {
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The end of a log. The log is deleted with its folder. */
function endOf(log: string): string {
  return readFileSync(log, "utf8").slice(-6000);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  const timeout = new AbortController();
  await Promise.race([ended, delay(ENDED_MS, undefined, { signal: timeout.signal }).catch(() => undefined)]);
  timeout.abort();
  if (!hasEnded(child)) child.kill("SIGKILL");
  await ended;
}

/** The ports that this process has chosen. A server may not listen yet on a port that was chosen for it. */
const chosen = new Set<number>();

/** A free port on loopback, chosen once. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  if (chosen.has(address.port)) return freePort();
  chosen.add(address.port);
  return address.port;
}

/** Whether a server answers at a URL. Rejects if it accepts no connection. */
export async function isAnswering(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  const { status } = await fetch(url, { headers, signal: AbortSignal.timeout(2000) });
  return status < 500;
}
