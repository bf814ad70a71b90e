import { types } from "node:util";
import type { Ending } from "./timeBudget";

/** Why nothing (whole) came back. `unconnected` is proof that the service got nothing. */
export type FailureReason = "unconnected" | "timeout" | "lost" | "tooLarge" | "undecodable" | Ending;

/** An exchange without an answer. Only the client sees it, and says what it means for the request. */
export class ExchangeFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    /** Whether the service may have got the request, or a part of it. */
    readonly sent: boolean,
    readonly code?: string,
    message = reason as string,
  ) {
    super(message);
  }
}

/** With TLS 1.3 a server refuses the handshake only after the first bytes went out; it has taken none of them. */
const HANDSHAKE_REFUSED =
  /ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE|ACCESS_DENIED|UNSUPPORTED_CERT)/;

/** What a dispatcher's error means; `started` tells whether it had begun to write the request. */
export function exchangeFailureOf(error: unknown, started: boolean): ExchangeFailure {
  const { code, message } = innermost(error);
  // A proxy that asks for credentials has passed nothing on.
  const refused = HANDSHAKE_REFUSED.test(code ?? "") || /\(407\)/.test(message);
  const sent = started && !refused;
  return new ExchangeFailure(sent ? "lost" : "unconnected", sent, code, message);
}

/** What the system said: undici wraps it, and Node wraps the tries of several addresses of one name. */
function innermost(error: unknown): { code: string | undefined; message: string } {
  if (!isNativeError(error)) return { code: undefined, message: String(error) };
  const inner: unknown = "errors" in error && Array.isArray(error.errors) ? error.errors[0] : error.cause;
  if (systemCode(inner) !== undefined) return innermost(inner);
  return { code: systemCode(error), message: error.message };
}

/** The code of an error of the system or of Node; undefined where it has none. */
export function systemCode(error: unknown): string | undefined {
  return isNativeError(error) && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const { isNativeError } = types;
