import { type Client, createClient } from "../../../provider/core/http/client";
import { type ClientOptions, type Runtime, systemRuntime } from "../../../provider/core/http/options";
import type { HttpRequest } from "../../../provider/core/http/request";

/** A runtime whose time passes only by sleeping, and which tells how long was slept. */
export interface TestRuntime extends Runtime {
  readonly slept: number[];
}

/** Time stands still but for sleeping; chance is always the middle. */
export function testRuntime(start = Date.UTC(2026, 0, 1)): TestRuntime {
  const slept: number[] = [];
  let now = start;
  return {
    slept,
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      const end = now + ms;
      // Who falls asleep at the same time wakes up at the same time.
      await Promise.resolve();
      now = Math.max(now, end);
    },
    // What a socket takes is real time.
    after: systemRuntime.after,
    random: () => 0.5,
  };
}

const open: Client[] = [];

/** A client of the service "scheduler" that is closed with the others. */
export function clientOf(address: string, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({
    service: "scheduler",
    address,
    headers: {},
    userAgent: "pulumi-quarterdeck/0.0.0",
    env: {},
    runtime: testRuntime(),
    ...options,
  });
  open.push(client);
  return client;
}

/** Closes the clients of the test that just ended. */
export async function closeClients(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.close()));
}

const LABEL = { definition: "scheduler:Job", step: "update" };

/** A read of `/v1/job/web`, but for what is given. */
export function read(request: Partial<HttpRequest> = {}): HttpRequest {
  return { label: LABEL, method: "GET", path: "/v1/job/web", nature: "read", ...request };
}

/** A write to `/v1/jobs`, but for what is given. */
export function write(request: Partial<HttpRequest> = {}): HttpRequest {
  return { label: LABEL, method: "PUT", path: "/v1/jobs", nature: "write", body: { Job: {} }, ...request };
}

/** What a promise is rejected with; it is an error of the test where it is not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it was expected to be rejected");
}
