import type { ErrorKind, RequestOutcome } from "./errors";
import { type ExchangeFailure, type FailureReason, UNUSABLE } from "./exchange";
import type { HttpRequest } from "./request";

/** The values that the descriptions quote. */
export interface FailureContext {
  /** The origin, without userinfo. */
  readonly origin: string;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** The variable that names a proxy for this origin, if one is set. */
  readonly proxy: string | undefined;
  /** True if a client certificate is configured. */
  readonly ownCertificate: boolean;
}

/** What happened, and what to check. */
interface Description {
  readonly event: string;
  readonly advice: string;
}

/** What a failed exchange means for the request. If a write was sent, its outcome is unknown after any failure. */
export function outcomeOfFailure(
  nature: HttpRequest["nature"],
  { reason, sent }: ExchangeFailure,
): { readonly kind: ErrorKind; readonly outcome: RequestOutcome } {
  const kind = KINDS[reason];
  if (!sent || nature === "read") return { kind, outcome: "notApplied" };
  // After a broken connection, a proxy may already have the request, too. That counts only for requests that must not be
  // sent twice.
  const isInFlight = IN_FLIGHT.has(reason) || (nature === "single-use" && reason === "lost");
  return {
    kind: kind === "cancelled" ? kind : "unclearAnswer",
    outcome: isInFlight ? "inFlight" : "unknown",
  };
}

const KINDS: Readonly<Record<FailureReason, ErrorKind>> = {
  unconnected: "unreachable",
  timeout: "timedOut",
  deadline: "timedOut",
  cancelled: "cancelled",
  lost: "connectionLost",
  tooLarge: "unexpectedAnswer",
  undecodable: "unexpectedAnswer",
};

/** Failures after which the server may still receive the request. */
const IN_FLIGHT = new Set<FailureReason>(["timeout", "deadline", "cancelled"]);

/** The code of a request that was not sent because of the rate limit. */
export const RATE_LIMIT = "RATE_LIMIT";

/** Describes a failed exchange. */
export function describeFailure(failure: ExchangeFailure, context: FailureContext): Description {
  const { reason, code, message, sent } = failure;
  const { origin, timeoutMs, maxResponseBytes, ownCertificate } = context;
  switch (reason) {
    case "unconnected":
      return describeUnconnected(failure, context);
    case "timeout":
      return {
        event: `was not answered within ${Number((timeoutMs / 1000).toPrecision(3))} s`,
        advice: "See whether the service is under load, or raise the connection's timeout.",
      };
    case "deadline":
      return {
        event: sent
          ? "was not answered before the operation's time was up"
          : code === RATE_LIMIT
            ? "was not sent: the service's rate limit holds for longer than the operation may take"
            : "was not sent: the operation's time is up",
        advice: "See whether the service is under load, or raise the resource's timeouts.",
      };
    case "cancelled":
      return { event: "was cancelled", advice: "" };
    case "lost":
      return {
        event: `lost its connection to ${origin} before the whole answer was there (${code ?? message})`,
        advice: adviceAfterLoss(origin, ownCertificate),
      };
    case "tooLarge":
      return {
        event: `was answered with more than ${maxResponseBytes} bytes`,
        advice: "Check that the address is the service's own.",
      };
    case "undecodable":
      return {
        event: `was answered in a way that cannot be read: ${message}`,
        advice: "See what stands between us and the service (a proxy, a load balancer).",
      };
  }
}

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

/** Describes why no connection was made. */
function describeUnconnected(
  { code, message }: ExchangeFailure,
  { origin, proxy, ownCertificate }: FailureContext,
): Description {
  if (code === UNUSABLE)
    return { event: `was not sent: ${message}`, advice: "Correct the connection's settings." };
  const found = CONNECTING.find(([pattern]) => pattern.test(`${code ?? ""} ${message}`)) ?? OTHER;
  const [, what, advice] = found[0] === REFUSED_ALERT && !ownCertificate ? REFUSED_WITHOUT : found;
  const shownCode = code === undefined || code === INVALID ? "" : ` (${code})`;
  return {
    event: `could not be sent: ${what} at ${origin}${shownCode}`,
    advice: proxy === undefined ? advice : `${advice} ${proxy} is set: check the proxy, too, or NO_PROXY.`,
  };
}

/** undici's code for requests that it refuses to send. It means nothing to users. */
const INVALID = "UND_ERR_INVALID_ARG";

/** Codes and messages: what happened, and what to check. */
type Row = readonly [pattern: RegExp, what: string, advice: string];

const NO_CERTIFICATE = "None is set: name its files in clientCertFile and clientKeyFile.";
const REFUSED_ALERT = /ALERT_/;
const REFUSED_WITHOUT: Row = [
  REFUSED_ALERT,
  "the service refused the handshake",
  `It may want a certificate of the client's. ${NO_CERTIFICATE}`,
];
const OTHER: Row = [/^/, "no connection could be made", "Check the address, and what stands between."];

/** In the order of evaluation. */
const CONNECTING: readonly Row[] = [
  [/ECONNREFUSED/, "nothing listens", "Check the address and its port, and that the service runs."],
  [
    /ENOTFOUND|EAI_/,
    "the host name is not known",
    "Check the host name in the address, and the name service.",
  ],
  [
    /\(407\)/,
    "a proxy asks for credentials on the way to the service",
    "Put them into HTTPS_PROXY or HTTP_PROXY.",
  ],
  [
    /Proxy response|UND_ERR_PRX|Proxy/,
    "a proxy did not let us through to the service",
    "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
  ],
  [
    /invalid [^ ]+ header/i,
    "the token or another header holds characters that no header can carry",
    "Check the token for line breaks.",
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    "the certificate is not valid now",
    "Renew it, or check this machine's clock.",
  ],
  [
    /ALTNAME/,
    "the certificate is for another host",
    "Use the host name in the address that the certificate names.",
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|CERT_UNTRUSTED|CERT_SIGNATURE/,
    "the certificate is signed by nobody that is trusted here",
    "Name the authority's file in caFile.",
  ],
  [/ALERT_CERTIFICATE_REQUIRED/, "the service wants a certificate of the client's", NO_CERTIFICATE],
  [REFUSED_ALERT, "the client's certificate was refused", "Check clientCertFile and clientKeyFile."],
  [
    /WRONG_VERSION|PACKET_LENGTH|EPROTO|HTTP_REQUEST/,
    "no TLS is spoken",
    "If the service speaks plain http there, write http:// in the address.",
  ],
  [
    /CERT|TLS|SSL/,
    "no secure connection came about",
    "Check the certificates: caFile, clientCertFile, clientKeyFile.",
  ],
  [
    /TIMEDOUT|TIMEOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN/,
    "nobody answers",
    "Check the address, the network and firewall, and whether a proxy is needed (HTTPS_PROXY, NO_PROXY).",
  ],
  [
    /ECONNRESET|EPIPE|UND_ERR_SOCKET/,
    "the connection was dropped",
    "Check that the service and what stands before it run, and https against http.",
  ],
];
