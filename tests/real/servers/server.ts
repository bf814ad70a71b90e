import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The servers that these tests can start. */
export const PROGRAMS = ["nomad", "bao", "otfd", "consul"] as const;
export type Program = (typeof PROGRAMS)[number];

/**
 * A real server on loopback, as the tests reach it. All values are strings, because an environment variable passes
 * them on.
 */
export interface Server {
  readonly program: Program;
  readonly version: string;
  readonly address: string;
  /** A token with all permissions. */
  readonly token: string;
  /** Additional values of this server: addresses of servers that it uses, and IDs of objects that always exist. */
  readonly more: Readonly<Record<string, string>>;
}

/** A running server, with everything that it needs. */
export interface Running {
  readonly server: Server;
  stop(): Promise<void>;
}

const VARIABLE = "QUARTERDECK_REAL_SERVER";

/** The server of this run; undefined if none was started. */
export function givenServer(): Server | undefined {
  const text = process.env[VARIABLE];
  // Only `setServer` writes it.
  return text === undefined ? undefined : (JSON.parse(text) as Server);
}

/** The server of this run. */
export function theServer(): Server {
  const server = givenServer();
  if (server === undefined) throw new Error("no real server was started: npm run verify -- real");
  return server;
}

export function setServer(server: Server): void {
  process.env[VARIABLE] = JSON.stringify(server);
}

/** What was started. All of it is ended in reverse order, even if one part fails. */
export class Teardown {
  readonly folder = mkdtempSync(join(tmpdir(), "quarterdeck-real-"));
  private readonly ends: (() => Promise<void> | void)[] = [
    () => rmSync(this.folder, { recursive: true, force: true }),
  ];

  add(end: () => Promise<void> | void): void {
    this.ends.push(end);
  }

  async run(): Promise<void> {
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

/** Starts a server. If that fails, ends what was already started. */
export async function startServer(how: (teardown: Teardown) => Promise<Server>): Promise<Running> {
  const teardown = new Teardown();
  try {
    return { server: await how(teardown), stop: () => teardown.run() };
  } catch (error) {
    await teardown.run();
    throw error;
  }
}

/** Sends a request. Rejects if the server does not answer with a success. */
export async function sendRequest(
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
  if (!answer.ok) throw new Error(`${method} ${url} returned ${answer.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
