import type { ExchangeFailure } from "./failure";
import { UNUSABLE } from "./transport";

/** The values that the explanations quote. */
export interface ErrorContext {
  /** The origin, without userinfo. */
  readonly origin: string;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
  /** The variable that names a proxy for this origin, if one is set. */
  readonly proxy: string | undefined;
  /** True if a client certificate is configured. */
  readonly ownCertificate: boolean;
}

/** Explains why no connection was made, and what to check. */
export function tellUnconnected(
  { code, message }: ExchangeFailure,
  { origin, proxy, ownCertificate }: ErrorContext,
): { readonly event: string; readonly advice: string } {
  if (code === UNUSABLE)
    return { event: `was not sent: ${message}`, advice: "Correct the connection's settings." };
  const told = CONNECTING.find(([pattern]) => pattern.test(`${code ?? ""} ${message}`));
  const [, what, advice] =
    told?.[0].source === "ALERT_" && !ownCertificate
      ? [
          "",
          "the service refused the handshake",
          `It may want a certificate of the client's. ${NO_CERTIFICATE}`,
        ]
      : (told ?? ["", "no connection could be made", "Check the address, and what stands between."]);
  const shownCode = code === undefined || code === INVALID ? "" : ` (${code})`;
  const event = `could not be sent: ${what} at ${origin}${shownCode}`;
  return {
    event,
    advice: proxy === undefined ? advice : `${advice} ${proxy} is set: check the proxy, too, or NO_PROXY.`,
  };
}

/** undici's code for requests that it refuses to send. It means nothing to users. */
const INVALID = "UND_ERR_INVALID_ARG";

const NO_CERTIFICATE = "None is set: name its files in clientCertFile and clientKeyFile.";

/** The meaning of codes and messages, in the order of evaluation: what happened, and what to check. */
const CONNECTING: readonly (readonly [RegExp, string, string])[] = [
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
