import { z } from "zod";
import type { Address, Route, Values } from "../define";
import { field } from "../facts";
import type { HttpAnswer } from "../http/request";
import { type Rule, rule } from "../rules";
import { parseDuration } from "../spelling";
import { type CallContext, filledPath, filledQuery } from "../steps/context";

const NANOSECONDS_PER_MS = 1e6;
const LONGEST_WAIT_MS = 600_000;
const DEFAULT_WAIT_MS = 300_000;

/** The arguments of an endpoint with blocking queries. */
export const blockingFields = {
  index: field(z.string().regex(/^\d+$/).optional(), {
    doc: "Wait until the state is beyond this index: the `index` of an earlier result. Without it, or with 0, the answer comes at once.",
    local: true,
  }),
  wait: field(z.string().optional(), {
    doc: "The longest wait, such as `10s` or `5m`; at most 10 minutes. The service adds up to a sixteenth of it. Default: 5 minutes. It is not counted as time that the call takes: `timeout` does not end it. Only with `index`.",
    local: true,
  }),
} as const;

/** The arguments of a watch over such an endpoint: it keeps the index itself. */
export const watchFields = {
  wait: field(z.string().optional(), {
    doc: "The longest that one question waits for a change, such as `10s` or `5m`; at most 10 minutes, to which the service adds up to a sixteenth. A change is seen at once; this is how late it can show that the servers came back without what they had. Default: 5 minutes.",
    local: true,
  }),
} as const;

/** What such an endpoint says of its answer. */
export const blockingResult = {
  index: field(z.string().optional(), {
    doc: "The index of the state, as text: hand it back as `index` to wait for what comes after.",
  }),
  lastContact: field(z.number().optional(), {
    doc: "Milliseconds since the leader last contacted the server that answered.",
  }),
  knownLeader: field(z.boolean().optional(), { doc: "Whether that server knows a leader." }),
} as const;

/** The rules of a blocking query. */
export const blockingRules: readonly Rule[] = [
  rule(["wait"], (wait) => {
    if (wait === undefined || wait === null) return undefined;
    const ms = waitOf(wait as string);
    if (ms === undefined || ms <= 0) return "must be a duration greater than 0, such as 10s or 5m";
    return ms > LONGEST_WAIT_MS ? "must be at most 10m: the service waits no longer" : undefined;
  }),
  rule(["wait", "index"], (wait, index) =>
    wait !== undefined && index === undefined ? "needs index: without one nothing is waited for" : undefined,
  ),
];

function waitOf(text: string): number | undefined {
  // A bare number has no unit here, the service knows no days, and takes no blanks.
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  const nanoseconds = parseDuration(text, Number.NaN);
  return nanoseconds === undefined ? undefined : nanoseconds / NANOSECONDS_PER_MS;
}

/** Whether arguments ask to wait for a change. Index 0 would not wait, and is never sent. */
export function waitsForChange({ index }: Values): boolean {
  return typeof index === "string" && BigInt(index) > 0n;
}

/** How an endpoint with blocking queries is asked once. */
export interface BlockingQuery {
  readonly route: Route;
  readonly address: Address;
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** The caller's own deadline holds; without it a wait may go past that. */
  readonly isBounded?: boolean;
}

/** Longer than the service may take to answer at the end of a wait. */
const GRACE_MS = 10_000;

/** Asks once, waiting for a change where the arguments name an index. Any status is answered. */
export function askBlocking(
  context: CallContext,
  { route, address, query, isBounded = false }: BlockingQuery,
  args: Values,
): Promise<HttpAnswer> {
  const { connection, label, redactor, signal } = context;
  const { index, wait } = args;
  const blocks = waitsForChange(args);
  const waitMs = typeof wait === "string" ? (waitOf(wait) ?? DEFAULT_WAIT_MS) : DEFAULT_WAIT_MS;
  const longest = (waitMs * 17) / 16 + GRACE_MS;
  return connection.send({
    label,
    secrets: redactor,
    method: route.method,
    path: filledPath(route.path, address, connection),
    query: {
      ...filledQuery(route.query ?? {}, address),
      ...query,
      ...(blocks && { index: String(index), ...(typeof wait === "string" && { wait }) }),
    },
    nature: "read",
    deadline:
      blocks && !isBounded
        ? Math.max(context.deadline, connection.runtime.now() + longest)
        : context.deadline,
    ...(blocks && { timeoutMs: longest }),
    ...(signal && { signal }),
  });
}

/** What an answer says of itself. */
export type AnswerStanding = {
  readonly index?: string;
  readonly lastContact?: number;
  readonly knownLeader?: boolean;
};

/** What an answer says of itself, in the headers of its dialect. */
export function standingOfAnswer(context: CallContext, { headers }: HttpAnswer): AnswerStanding {
  const names = context.connection.dialect.headers;
  const header = (role: string) => headers[(names[role] ?? "").toLowerCase()];
  const [index, contact, leader] = [header("index"), header("lastContact"), header("knownLeader")];
  return {
    ...(index !== undefined && { index }),
    ...(contact !== undefined && contact !== "" && { lastContact: Number(contact) }),
    ...(leader !== undefined && { knownLeader: leader === "true" }),
  };
}
