import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The programs that the suite knows to start; each is one control plane. */
export const PROGRAMS = ["nomad", "bao", "otfd", "consul"] as const;
export type Program = (typeof PROGRAMS)[number];

/** A real control plane on loopback, as the tests reach it. Everything in it is plain text: it travels by environment. */
export interface Server {
  readonly program: Program;
  readonly version: string;
  readonly address: string;
  /** A token that may do everything. */
  readonly token: string;
  /** What only this server has: other servers that it uses, ids of what is always there. */
  readonly more: Readonly<Record<string, string>>;
}

/** A server that runs, and how it is ended with everything that it needed. */
export interface Running {
  readonly server: Server;
  stop(): Promise<void>;
}

const VARIABLE = "QUARTERDECK_REAL_SERVER";

/** The server that this run is on. Undefined where none was started. */
export function givenServer(): Server | undefined {
  const text = process.env[VARIABLE];
  // Written by `tell` alone.
  return text === undefined ? undefined : (JSON.parse(text) as Server);
}

/** The server that this run is on. */
export function theServer(): Server {
  const server = givenServer();
  if (server === undefined) throw new Error("no real server was started: npm run verify -- real");
  return server;
}

export function tell(server: Server): void {
  process.env[VARIABLE] = JSON.stringify(server);
}

/** What was begun, ended in reverse, whatever of it fails. */
export class Begun {
  readonly folder = mkdtempSync(join(tmpdir(), "quarterdeck-real-"));
  private readonly ends: (() => Promise<void> | void)[] = [
    () => rmSync(this.folder, { recursive: true, force: true }),
  ];

  add(end: () => Promise<void> | void): void {
    this.ends.push(end);
  }

  async end(): Promise<void> {
    const failures: unknown[] = [];
    for (const end of this.ends.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Begins a server; where that fails, what was begun is ended. */
export async function begin(how: (begun: Begun) => Promise<Server>): Promise<Running> {
  const begun = new Begun();
  try {
    return { server: await how(begun), stop: () => begun.end() };
  } catch (error) {
    await begun.end();
    throw error;
  }
}

/** Sends as an administrator, and throws where the server refuses. */
export async function ask(
  url: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: unknown },
): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
