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
    kind: kind === "canceled" ? kind : "unclearAnswer",
    outcome: isInFlight ? "inFlight" : "unknown",
  };
}

const KINDS: Readonly<Record<FailureReason, ErrorKind>> = {
  unconnected: "unreachable",
  timeout: "timedOut",
  deadline: "timedOut",
  canceled: "canceled",
  lost: "connectionLost",
  tooLarge: "unexpectedAnswer",
  undecodable: "unexpectedAnswer",
};

/** Failures after which the server may still receive the request. */
const IN_FLIGHT = new Set<FailureReason>(["timeout", "deadline", "canceled"]);

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
        event: `got no response within ${Number((timeoutMs / 1000).toPrecision(3))} s`,
        advice: "Check the server's load, or raise the connection's timeout.",
      };
    case "deadline":
      return {
        event: sent
          ? "got no response before the operation's timeout"
          : code === RATE_LIMIT
            ? "was not sent: the server's rate limit lasts longer than the operation's timeout"
            : "was not sent: the operation's timeout has passed",
        advice: "Check the server's load, or raise the resource's timeouts.",
      };
    case "canceled":
      return { event: "was canceled", advice: "" };
    case "lost":
      return {
        event: `lost its connection to ${origin} before the response was complete (${code ?? message})`,
        advice: adviceAfterLoss(origin, ownCertificate),
      };
    case "tooLarge":
      return {
        event: `got a response of more than ${maxResponseBytes} bytes`,
        advice: "Check that the address belongs to the server.",
      };
    case "undecodable":
      return {
        event: `got an unreadable response: ${message}`,
        advice: "Check proxies and load balancers on the way.",
      };
  }
}

function adviceAfterLoss(origin: string, ownCertificate: boolean): string {
  const between = "and check proxies and load balancers on the way";
  if (origin.startsWith("http:"))
    return `Check whether the server restarted, whether it uses https on this port, ${between}.`;
  if (ownCertificate) return `Check whether the server restarted, ${between}.`;
  // With TLS 1.3 a server learns only after the handshake that the client sent no certificate, and may just close the
  // connection.
  return (
    `Check whether the server restarted, ${between}. A server that requires a client certificate also closes ` +
    "connections like this, and no client certificate is set (clientCertFile, clientKeyFile)."
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
    advice:
      proxy === undefined ? advice : `${advice} ${proxy} is set: also check the proxy, or set NO_PROXY.`,
  };
}

/** undici's code for requests that it refuses to send. It means nothing to users. */
const INVALID = "UND_ERR_INVALID_ARG";

/** Codes and messages: what happened, and what to check. */
type Row = readonly [pattern: RegExp, what: string, advice: string];

const NO_CERTIFICATE = "No client certificate is set: set clientCertFile and clientKeyFile.";
const REFUSED_ALERT = /ALERT_/;
const REFUSED_WITHOUT: Row = [
  REFUSED_ALERT,
  "the server refused the TLS handshake",
  `The server may require a client certificate. ${NO_CERTIFICATE}`,
];
const OTHER: Row = [/^/, "no connection could be made", "Check the address, and proxies on the way."];

/** In the order of evaluation. */
const CONNECTING: readonly Row[] = [
  [/ECONNREFUSED/, "connection refused", "Check the address and the port, and that the server runs."],
  [/ENOTFOUND|EAI_/, "unknown host name", "Check the host name in the address, and DNS."],
  [/\(407\)/, "a proxy on the way requires credentials", "Add the credentials to HTTPS_PROXY or HTTP_PROXY."],
  [
    /Proxy response|UND_ERR_PRX|Proxy/,
    "a proxy rejected the connection",
    "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
  ],
  [
    /invalid [^ ]+ header/i,
    "the token or another header contains characters that are invalid in a header",
    "Check the token for line breaks.",
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    "the certificate has expired or is not yet valid",
    "Renew the certificate, or check this machine's clock.",
  ],
  [/ALTNAME/, "the certificate is for another host", "Use the certificate's host name in the address."],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|CERT_UNTRUSTED|CERT_SIGNATURE/,
    "the certificate is signed by an untrusted CA",
    "Set caFile to the CA's file.",
  ],
  [/ALERT_CERTIFICATE_REQUIRED/, "the server requires a client certificate", NO_CERTIFICATE],
  [REFUSED_ALERT, "the server rejected the client certificate", "Check clientCertFile and clientKeyFile."],
  [
    /WRONG_VERSION|PACKET_LENGTH|EPROTO|HTTP_REQUEST/,
    "the server does not use TLS",
    "If the server uses plain http on this port, use http:// in the address.",
  ],
  [
    /CERT|TLS|SSL/,
    "the TLS connection failed",
    "Check the certificates: caFile, clientCertFile, clientKeyFile.",
  ],
  [
    /TIMEDOUT|TIMEOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN/,
    "no response from the host",
    "Check the address, the network and firewall, and whether a proxy is needed (HTTPS_PROXY, NO_PROXY).",
  ],
  [
    /ECONNRESET|EPIPE|UND_ERR_SOCKET/,
    "the connection was dropped",
    "Check that the server and its proxies run, and whether the address needs https or http.",
  ],
];
