import { type Client, createClient } from "../../../provider/core/http/client";
import { type ClientOptions, type Runtime, systemRuntime } from "../../../provider/core/http/options";
import type { HttpRequest } from "../../../provider/core/http/request";

/** A runtime whose clock advances only by sleeping, and which records the durations. */
export interface TestRuntime extends Runtime {
  readonly slept: number[];
}

/** Creates a runtime whose clock advances only by sleeping, and whose random number is always 0.5. */
export function testRuntime(start = Date.UTC(2026, 0, 1)): TestRuntime {
  const slept: number[] = [];
  let now = start;
  return {
    slept,
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      const end = now + ms;
      // Sleeps that start at the same time end at the same time.
      await Promise.resolve();
      now = Math.max(now, end);
    },
    // Sockets need real time.
    after: systemRuntime.after,
    random: () => 0.5,
  };
}

const open: Client[] = [];

/** Creates a client of the service "scheduler", which `closeClients` closes. */
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

/** Closes all clients of the current test. */
export async function closeClients(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.close()));
}

const LABEL = { definition: "scheduler:Job", step: "update" };

/** A read of `/v1/job/web` with the given properties. */
export function read(request: Partial<HttpRequest> = {}): HttpRequest {
  return { label: LABEL, method: "GET", path: "/v1/job/web", nature: "read", ...request };
}

/** A write to `/v1/jobs` with the given properties. */
export function write(request: Partial<HttpRequest> = {}): HttpRequest {
  return { label: LABEL, method: "PUT", path: "/v1/jobs", nature: "write", body: { Job: {} }, ...request };
}

/** Returns the reason of a rejected promise, and throws if the promise is fulfilled. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it was expected to be rejected");
}
