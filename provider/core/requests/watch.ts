import { ConnectionLost, RateLimited, ServiceFailed, TimedOut, Unreachable } from "../http/errors";
import type { ListRequest } from "../http/paging";
import { backoff } from "../http/retry";
import type { Address } from "../language/object";
import type { Route } from "../language/route";
import { type RequestContext, withFullTimeout } from "../language/stepInput";
import { equalJson, type Json } from "../value/json";
import { errorFrom } from "./observe";
import { requestOf } from "./send";

/** One read of a watched value. */
export interface Watched<T> {
  readonly value: T;
  /** The value to compare: a read with an equal value is not a change. */
  readonly shows: Json;
  /** The index that the server returned, if any. */
  readonly index?: string | undefined;
}

/**
 * Yields the watched value at the first read and whenever it differs from the read before. It continues after lost
 * connections, restarts and a reset index, and ends when the caller's signal aborts.
 * @param look reads once, with its own deadline; with an index, it waits for a later one
 * @throws errors that a retry cannot fix: a rejected token, a wrong filter
 */
export async function* watchValue<T>(
  context: RequestContext,
  look: (index: string | undefined, context: RequestContext) => Promise<Watched<T>>,
): AsyncGenerator<T, void, void> {
  const { signal } = context;
  let index: string | undefined;
  let last: { readonly shows: Json } | undefined;
  let failures = 0;
  while (!signal?.aborted) {
    let found: Watched<T>;
    try {
      found = await look(index, withFullTimeout(context));
      failures = 0;
    } catch (error) {
      if (signal?.aborted) return;
      if (!mayPass(error)) throw error;
      failures += 1;
      // After a restart, the server's indexes may differ: read immediately instead of waiting for an index that never comes.
      index = undefined;
      await rest(context, failures);
      continue;
    }
    const isStuck = found.index === undefined || found.index === "0";
    index = isStuck || isSetBack(index, found.index) ? undefined : found.index;
    if (last === undefined || !equalJson(last.shows, found.shows)) {
      last = found;
      yield found.value;
    }
    // Without an index, the next read would not wait.
    if (isStuck) await rest(context, 1);
  }
}

function isSetBack(before: string | undefined, now: string | undefined): boolean {
  return before !== undefined && now !== undefined && BigInt(now) < BigInt(before);
}

/** True if an error may be temporary: a lost connection, a restart, a rate limit. */
export function mayPass(error: unknown): boolean {
  return [Unreachable, ConnectionLost, TimedOut, ServiceFailed, RateLimited].some(
    (kind) => error instanceof kind,
  );
}

async function rest({ connection, signal }: RequestContext, failures: number): Promise<void> {
  const { runtime } = connection;
  try {
    await runtime.sleep(backoff(failures, runtime.random()), signal ?? new AbortController().signal);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** The request for one of a definition's lists, to be read page by page. */
export function listRequestOf(
  context: RequestContext,
  route: Pick<Route, "method" | "path">,
  address: Address,
  query: Readonly<Record<string, string | undefined>> = {},
): ListRequest {
  const { connection } = context;
  const { method, path } = route;
  return {
    send: connection.send,
    service: connection.service.name,
    request: requestOf(context, { method, path }, address, { nature: "read", query }),
    refused: (answer) => errorFrom(context, answer, route, address),
  };
}
