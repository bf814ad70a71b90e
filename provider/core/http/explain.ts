import type { ErrorKind } from "./errors";
import type { ExchangeFailure, FailureReason } from "./failure";
import type { HttpRequest } from "./request";
import { type ErrorContext, tellUnconnected } from "./unconnected";

/** The meaning of a failed exchange for the request, and the text of its error. */
export interface Explanation {
  readonly kind: ErrorKind;
  readonly event: string;
  readonly advice: string;
  readonly unclear: boolean;
  /** True if the server may still apply the request. */
  readonly mayStillHappen: boolean;
}

/** Explains a failure. If a write was sent, its outcome is unknown after any failure. */
export function explain(
  nature: HttpRequest["nature"],
  failure: ExchangeFailure,
  circumstances: ErrorContext,
): Explanation {
  const { reason, sent } = failure;
  if (reason === "unconnected")
    return { kind: "unreachable", ...NOTHING_HAPPENED, ...tellUnconnected(failure, circumstances) };
  const unclear = sent && nature !== "read";
  const { kind, event, advice } = BROKEN[reason](failure, circumstances);
  if (!unclear) return { kind, event, advice, ...NOTHING_HAPPENED };
  const mayStillHappen = ON_ITS_WAY.has(reason) || (nature === "single-use" && reason === "lost");
  return { kind: kind === "cancelled" ? kind : "unclearAnswer", event, advice, unclear, mayStillHappen };
}

/** The code of a request that was not sent because of the rate limit. */
export const RATE_LIMIT = "RATE_LIMIT";

/**
 * Failures after which the server may still receive the request. After a broken connection, a proxy may already have the
 * request too. That counts only for requests that must not be sent twice.
 */
const ON_ITS_WAY = new Set<FailureReason>(["timeout", "deadline", "cancelled"]);

const NOTHING_HAPPENED = { unclear: false, mayStillHappen: false };

type Explainer = (
  failure: ExchangeFailure,
  circumstances: ErrorContext,
) => Omit<Explanation, "unclear" | "mayStillHappen">;

const BROKEN: Record<Exclude<ExchangeFailure["reason"], "unconnected">, Explainer> = {
  timeout: (_, { timeoutMs }) => ({
    kind: "timedOut",
    event: `was not answered within ${seconds(timeoutMs)}`,
    advice: "See whether the service is under load, or raise the connection's timeout.",
  }),
  deadline: ({ sent, code }) => ({
    kind: "timedOut",
    event: sent ? "was not answered before the operation's time was up" : `was not sent: ${timeIsUp(code)}`,
    advice: "See whether the service is under load, or raise the resource's timeouts.",
  }),
  cancelled: () => ({ kind: "cancelled", event: "was cancelled", advice: "" }),
  lost: ({ code, message }, { origin, ownCertificate }) => ({
    kind: "connectionLost",
    event: `lost its connection to ${origin} before the whole answer was there (${code ?? message})`,
    advice: adviceAfterLoss(origin, ownCertificate),
  }),
  tooLarge: (_, { maxResponseBytes }) => ({
    kind: "unexpectedAnswer",
    event: `was answered with more than ${maxResponseBytes} bytes`,
    advice: "Check that the address is the service's own.",
  }),
  undecodable: ({ message }) => ({
    kind: "unexpectedAnswer",
    event: `was answered in a way that cannot be read: ${message}`,
    advice: "See what stands between us and the service (a proxy, a load balancer).",
  }),
};

function adviceAfterLoss(origin: string, ownCertificate: boolean): string {
  const between = "and what stands between (a proxy, a load balancer)";
  if (origin.startsWith("http:"))
    return `See whether the service restarted, whether it speaks https there, ${between}.`;
  if (ownCertificate) return `See whether the service restarted, ${between}.`;
  // With TLS 1.3 a server learns only after the handshake that the client sent no certificate, and may just close the
  // connection.
  return (
    `See whether the service restarted, ${between}; one that wants a certificate of the client's ends ` +
    "connections like this, too, and none is set (clientCertFile, clientKeyFile)."
  );
}

function timeIsUp(code: string | undefined): string {
  return code === RATE_LIMIT
    ? "the service's rate limit holds for longer than the operation may take"
    : "the operation's time is up";
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}
