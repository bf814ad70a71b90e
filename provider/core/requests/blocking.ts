import { ActionableError, rerunUp } from "../http/remedies";
import { type HttpResponse, isSuccess } from "../http/request";
import type { Address, Values } from "../language/object";
import type { Route } from "../language/route";
import type { RequestContext } from "../language/stepInput";
import { NANOSECONDS_PER_MS, parseDuration } from "../value/duration";
import type { Json } from "../value/json";
import { wholeIn } from "../value/scalar";
import { errorFrom } from "./observe";
import { send } from "./send";
import { watchValue } from "./watch";

const DEFAULT_WAIT_MS = 300_000;
const LONGEST_WAIT_MS = 600_000;

/**
 * The `wait` of a blocking query in milliseconds (specification: General conventions, Blocking queries): at most 10 minutes,
 * and the server's default for 0. Undefined if the server does not accept the text as a duration.
 */
export function waitOf(text: string): number | undefined {
  // The server accepts neither days nor blanks, and 0 is the only number it accepts without a unit.
  const nanoseconds = /[d\s]/.test(text) ? undefined : parseDuration(text === "0" ? "0s" : text, Number.NaN);
  if (nanoseconds === undefined || Number.isNaN(nanoseconds) || nanoseconds < 0) return undefined;
  return nanoseconds === 0 ? DEFAULT_WAIT_MS : Math.min(nanoseconds / NANOSECONDS_PER_MS, LONGEST_WAIT_MS);
}

/** True if the arguments ask to wait for a change. Index 0 would not wait and is never sent. */
export function waitsForChange({ index }: Values): boolean {
  return (wholeIn(index) ?? 0n) > 0n;
}

/** One request to an endpoint with blocking queries. */
export interface BlockingQuery {
  readonly route: Route;
  readonly address: Address;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Reads the copy in the place that the query names. */
  readonly isOfCopy?: boolean;
  /** Keeps the caller's deadline. Without it, a wait may exceed that deadline. */
  readonly isBounded?: boolean;
}

/** Longer than the server may take to respond after a wait ends. */
const ANSWER_MARGIN_MS = 10_000;

/** Sends one request, which waits for a change if the arguments contain an index. Returns a response of any status. */
export function askBlocking(
  context: RequestContext,
  { route, address, query, isOfCopy = false, isBounded = false }: BlockingQuery,
  args: Values,
): Promise<HttpResponse> {
  // A wait keeps the deadline of its operation, even in a probe.
  const { grace: _, ...own } = context;
  if (!waitsForChange(args))
    return send(own, route, address, { nature: "read", isOfCopy, query: { ...query } });
  const { index, wait } = args;
  const waitMs = typeof wait === "string" ? (waitOf(wait) ?? DEFAULT_WAIT_MS) : DEFAULT_WAIT_MS;
  const timeoutMs = (waitMs * 17) / 16 + ANSWER_MARGIN_MS;
  const end = own.connection.runtime.now() + timeoutMs;
  return send({ ...own, deadline: isBounded ? own.deadline : Math.max(own.deadline, end) }, route, address, {
    nature: "read",
    isOfCopy,
    query: { ...query, index: String(index), ...(typeof wait === "string" && { wait }) },
    timeoutMs,
  });
}

/** The metadata of a response. */
export type QueryMeta = {
  readonly index?: string;
  readonly lastContact?: number;
  readonly knownLeader?: boolean;
};

/** Reads the metadata of a response from the headers that its dialect defines. */
export function queryMetaOf(context: RequestContext, { headers }: HttpResponse): QueryMeta {
  const names = context.connection.dialect.headers;
  const header = (role: string) => headers[(names[role] ?? "").toLowerCase()];
  const [index, contact, leader] = [header("index"), header("lastContact"), header("knownLeader")];
  return {
    ...(index !== undefined && { index }),
    ...(contact !== undefined && contact !== "" && { lastContact: Number(contact) }),
    ...(leader !== undefined && { knownLeader: leader === "true" }),
  };
}

/**
 * Repeats a blocking query whenever the server reports a change, until a response decides the question. It continues after
 * lost connections and ends with the step.
 * @param verdict the decision that a response allows; undefined if it decides nothing yet
 * @param overdue creates the error for the end of the step's time
 * @throws errors that a retry cannot fix.
 */
export async function follow<T>(
  context: RequestContext,
  query: BlockingQuery,
  verdict: (answer: Json) => T | undefined,
  overdue: () => Error,
): Promise<T> {
  const answers = watchValue(context, async (index) => {
    const left = context.deadline - context.connection.runtime.now();
    if (left <= 0) throw overdue();
    const waiting = index === undefined ? {} : { index, wait: `${longestWait(left)}s` };
    const answer = await askBlocking(context, { ...query, isBounded: true }, waiting);
    if (!isSuccess(answer)) {
      const error = errorFrom(context, answer, query.route, query.address);
      // A 500 is the server's own rejection. A gateway's error may be temporary.
      throw answer.status === 500
        ? new ActionableError(error.problem, error.remedies, error.facts, error)
        : error;
    }
    const value = answer.json ?? null;
    return { value, shows: value, index: queryMetaOf(context, answer).index };
  });
  for await (const answer of answers) {
    const decision = verdict(answer);
    if (decision !== undefined) return decision;
  }
  throw new ActionableError("the operation was canceled while it waited.", [rerunUp(" to continue waiting")]);
}

const LONGEST_WAIT_S = 300;

/** Seconds for which the server may delay its response. The server adds up to one sixteenth. */
function longestWait(leftMs: number): number {
  return Math.max(1, Math.min(LONGEST_WAIT_S, Math.floor((leftMs * 16) / 17 / 1000)));
}
