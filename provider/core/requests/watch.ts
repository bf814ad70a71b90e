import { ConnectionLost, RateLimited, ServiceFailed, TimedOut, Unreachable } from "../http/errors";
import type { ListRequest } from "../http/paging";
import { backoff } from "../http/retry";
import type { Address } from "../language/object";
import type { Route } from "../language/route";
import { type RequestContext, renewed } from "../language/stepInput";
import { equalJson, type Json } from "../value/json";
import { errorFrom } from "./observe";
import { filledPath, realmHeaders, timeLimitsOf } from "./send";

/** One look at what is watched. */
export interface Watched<T> {
  readonly value: T;
  /** What is compared: a look that shows the same is no change. */
  readonly shows: Json;
  /** The index that the service named; none where it named none. */
  readonly index?: string | undefined;
}

/**
 * What is watched, whenever it differs from the look before, beginning with the first one. It goes on through lost
 * connections, restarts and an index that was set back, and ends when the caller's signal says so.
 * @param look asks once, with a deadline of its own; with an index it waits for what comes after it
 * @throws whatever another try could not mend: a refused token, a wrong filter
 */
export async function* watched<T>(
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
      found = await look(index, renewed(context));
      failures = 0;
    } catch (error) {
      if (signal?.aborted) return;
      if (!mayPass(error)) throw error;
      failures += 1;
      // After a restart its indexes may be others: look at once, without waiting for one that never comes.
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
    // Without an index nothing makes the next look wait.
    if (isStuck) await rest(context, 1);
  }
}

function isSetBack(before: string | undefined, now: string | undefined): boolean {
  return before !== undefined && now !== undefined && BigInt(now) < BigInt(before);
}

/** Whether an error may pass by itself: a lost connection, a restart, a rate limit. */
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

/** One of a definition's lists, ready to be read page by page. */
export function listRequestOf(
  context: RequestContext,
  route: Pick<Route, "method" | "path">,
  address: Address,
  query: Readonly<Record<string, string | undefined>> = {},
): ListRequest {
  const { connection, label, redactor } = context;
  const headers = realmHeaders(connection, address);
  return {
    send: connection.send,
    service: connection.service.name,
    request: {
      label,
      secrets: redactor,
      method: route.method,
      path: filledPath(route.path, address, connection),
      query,
      ...(headers && { headers }),
      nature: "read",
      ...timeLimitsOf(context),
    },
    refused: (answer) => errorFrom(context, answer, route, address),
  };
}
