import { type ErrorKind, type FailureFacts, ServiceError, serviceError } from "../../../http/errors";
import type { HttpRequest, HttpResponse } from "../../../http/request";
import { assertRepeatable } from "../../../http/retry";
import type { Issued } from "../../../language/login";
import type { ConnectionParts } from "../../connectionParts";
import type { Send } from "..";

/** Sends requests with the tokens of a source. All requests share the current token. */
export class TokenSender {
  #held: Promise<TokenInUse> | undefined;

  constructor(
    private readonly parts: ConnectionParts,
    private readonly source: TokenSource,
    private readonly next: Send,
  ) {}

  async send(request: HttpRequest): Promise<HttpResponse> {
    if (request.skipsToken) return this.next(request);
    const held = await this.#current(request);
    const answer = await this.#sentWith(held, request);
    if (answer.status !== 401 && answer.status !== 403) return answer;
    const next = await this.#inPlaceOf(held, request);
    if (next === undefined) return answer;
    assertRepeatable(request, answer);
    return this.#sentWith(next, request);
  }

  async #sentWith(held: TokenInUse, request: HttpRequest): Promise<HttpResponse> {
    const { service, settings, dialect } = this.parts;
    const headers = service.headers({ ...settings, token: held.token }, dialect);
    const answer = await this.next({ ...request, headers: { ...headers, ...request.headers } });
    this.source.warnOfExpiry?.(held, dialect.login?.handsOut?.(answer) === true);
    return answer;
  }

  /** The current token. All requests that wait for it share one lookup. */
  async #current(request: HttpRequest): Promise<TokenInUse> {
    const pending = this.#held ?? this.#kept(this.source.get(request));
    const held = await pending;
    if (this.parts.options.runtime.now() < held.renewAt) return held;
    // The first caller renews the token for all callers.
    return this.#held === pending ? this.#kept(this.#renewed(held, request)) : this.#current(request);
  }

  async #renewed(held: TokenInUse, request: HttpRequest): Promise<TokenInUse> {
    return (await this.source.renew(held, request)) ?? this.source.get(request);
  }

  /** A replacement for a rejected token; undefined if the source has only the same token. */
  async #inPlaceOf(refused: TokenInUse, request: HttpRequest): Promise<TokenInUse | undefined> {
    const { source } = this;
    try {
      const pending = this.#held;
      const now = await pending;
      if (now !== undefined && now.token !== refused.token) return now;
      // A different request has already started to replace it.
      if (this.#held !== pending) return this.#inPlaceOf(refused, request);
      if (!source.mayHaveAnother(refused)) return undefined;
      const next = await this.#kept(source.get(request));
      return next.token === refused.token ? undefined : next;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // The caller receives the rejection itself.
      this.parts.options.warn(`a request was rejected, and there is no other token to try: ${error.message}`);
      return undefined;
    }
  }

  /** Stores the token for later requests, unless the lookup fails. */
  #kept(getting: Promise<TokenInUse>): Promise<TokenInUse> {
    const kept = getting.then(
      (held) => {
        this.parts.redactor.add([held.token]);
        return held;
      },
      (error: unknown) => {
        if (this.#held === kept) this.#held = undefined;
        throw error;
      },
    );
    this.#held = kept;
    return kept;
  }
}

/** A token in use. Times are milliseconds since the epoch; a token without an end has `Infinity`. */
export interface TokenInUse {
  readonly token: string;
  readonly since: number;
  readonly endsAt: number;
  /** The time from which the token is to be renewed or replaced. */
  readonly renewAt: number;
  readonly isRenewable: boolean;
}

/** The part of a token's life after which it is renewed. */
const RENEWED_AFTER = 2 / 3;

/** A token that was issued just now. */
export function heldFrom(
  { token, seconds = Number.POSITIVE_INFINITY, isRenewable }: Issued,
  since: number,
): TokenInUse {
  const lifeMs = seconds * 1000;
  return { token, since, endsAt: since + lifeMs, renewAt: since + lifeMs * RENEWED_AFTER, isRenewable };
}

/** A source of tokens that are not in the settings. */
export interface TokenSource {
  /** @throws ServiceError if there is no token, never with an unknown outcome: the request was not sent */
  get(request: HttpRequest): Promise<TokenInUse>;
  /** Extends the life of a token; undefined if this fails. */
  renew(held: TokenInUse, request: HttpRequest): Promise<TokenInUse | undefined>;
  /** True if the source may have a replacement for a token that was just rejected. */
  mayHaveAnother(held: TokenInUse): boolean;
  /** Receives every response to a request that carried the token. */
  warnOfExpiry?(held: TokenInUse, hasHandedOut: boolean): void;
}

/** The facts of an error for a request without a token. */
interface NoToken
  extends Pick<FailureFacts, "service" | "advice">,
    Partial<Pick<FailureFacts, "words" | "attempts" | "ids">> {
  /** The reason, as it follows "was not sent: ". */
  readonly why: string;
  readonly kind?: ErrorKind;
}

/** The error of a request that was not sent because it has no token. */
export function withoutToken(
  { method, path }: Pick<HttpRequest, "method" | "path">,
  { why, kind = "unauthenticated", ...facts }: NoToken,
): ServiceError {
  return serviceError(kind, { attempts: 0, ...facts, method, path, event: `was not sent: ${why}` });
}
