import { types } from "node:util";
import type { Ending } from "./timeBudget";

/** Why no complete response arrived. `unconnected` proves that the server received nothing. */
export type FailureReason = "unconnected" | "timeout" | "lost" | "tooLarge" | "undecodable" | Ending;

/** An exchange without a response. Only the client sees it, and explains what it means for the request. */
export class ExchangeFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    /** True if the server may have received the request or a part of it. */
    readonly sent: boolean,
    readonly code?: string,
    message = reason as string,
  ) {
    super(message);
  }
}

/**
 * With TLS 1.3 a server rejects the handshake only after the client sent its first bytes. The server has processed none of
 * them.
 */
const HANDSHAKE_REFUSED =
  /ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE|ACCESS_DENIED|UNSUPPORTED_CERT)/;

/** Converts a dispatcher's error. `started` is true if the dispatcher had started to write the request. */
export function exchangeFailureOf(error: unknown, started: boolean): ExchangeFailure {
  const { code, message } = innermost(error);
  // A proxy that asks for credentials has forwarded nothing.
  const refused = HANDSHAKE_REFUSED.test(code ?? "") || /\(407\)/.test(message);
  const sent = started && !refused;
  return new ExchangeFailure(sent ? "lost" : "unconnected", sent, code, message);
}

/** Finds the system's error. undici wraps it, and Node wraps the attempts at several addresses of one name. */
function innermost(error: unknown): { code: string | undefined; message: string } {
  if (!isNativeError(error)) return { code: undefined, message: String(error) };
  const inner: unknown = "errors" in error && Array.isArray(error.errors) ? error.errors[0] : error.cause;
  if (systemCode(inner) !== undefined) return innermost(inner);
  return { code: systemCode(error), message: error.message };
}

/** The code of an error of the system or of Node; undefined if it has none. */
export function systemCode(error: unknown): string | undefined {
  return isNativeError(error) && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

const { isNativeError } = types;
