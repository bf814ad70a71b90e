import type { Kind } from "../errors";
import type { ExchangeFailure } from "./exchange";
import type { HttpRequest } from "./request";
import { UNUSABLE } from "./transport";

/** What a failed exchange means for the request, and what the person who must act is told. */
export interface Explanation {
  readonly kind: Kind;
  readonly event: string;
  readonly advice: string;
  readonly unclear: boolean;
}

/** What the explanations quote. */
export interface Circumstances {
  /** The origin, without userinfo. */
  readonly origin: string;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

/** Says what a failure means: a write that was sent is unclear, whatever broke. */
export function explain(
  nature: HttpRequest["nature"],
  failure: ExchangeFailure,
  circumstances: Circumstances,
): Explanation {
  const { reason, sent } = failure;
  if (reason === "unconnected")
    return { kind: "unreachable", unclear: false, ...unconnected(failure, circumstances) };
  const unclear = sent && nature !== "read";
  const { kind, event, advice } = BROKEN[reason](failure, circumstances);
  if (kind === "cancelled" || !unclear) return { kind, event, advice, unclear };
  return { kind: "unclearAnswer", event, advice: `${LOOK_FIRST} ${advice}`, unclear };
}

/** The code of a request that the rate limit kept from being sent. */
export const RATE_LIMIT = "RATE_LIMIT";

const LOOK_FIRST = "Look at the object before writing it again (pulumi refresh).";

type Telling = (failure: ExchangeFailure, circumstances: Circumstances) => Omit<Explanation, "unclear">;

const BROKEN: Record<Exclude<ExchangeFailure["reason"], "unconnected">, Telling> = {
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
  lost: ({ code, message }, { origin }) => ({
    kind: "connectionLost",
    event: `lost its connection to ${origin} before the whole answer was there (${code ?? message})`,
    advice: origin.startsWith("http:")
      ? "See whether the service restarted, whether it speaks https there, and what stands between (a proxy, a load balancer)."
      : "See whether the service restarted, and what stands between (a proxy, a load balancer).",
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

function timeIsUp(code: string | undefined): string {
  return code === RATE_LIMIT
    ? "the service's rate limit holds for longer than the operation may take"
    : "the operation's time is up";
}

function unconnected({ code, message }: ExchangeFailure, { origin }: Circumstances) {
  if (code === UNUSABLE)
    return { event: `was not sent: ${message}`, advice: "Correct the connection's settings." };
  const told = CONNECTING.find(([pattern]) => pattern.test(`${code ?? ""} ${message}`));
  const [, what, advice] = told ?? [
    "",
    "no connection could be made",
    "Check the address, and what stands between.",
  ];
  return {
    event: `could not be sent: ${what} at ${origin}${code === undefined ? "" : ` (${code})`}`,
    advice,
  };
}

const CONNECTING: readonly (readonly [RegExp, string, string])[] = [
  [
    /UND_ERR_INVALID_ARG/,
    "the token or another header holds characters that no header can carry",
    "Check the token for line breaks. Nothing was sent",
  ],
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
  [/ALERT_/, "the client's certificate was refused", "Check clientCertFile and clientKeyFile."],
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

function seconds(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}
