import type { Redactor } from "../../../../../packages/redact";
import { type ErrorKind, type RequestIds, ServiceError, serviceError } from "../../../http/errors";
import type { Runtime } from "../../../http/options";
import type { HttpAnswer, HttpRequest } from "../../../http/request";
import { assertRepeatable } from "../../../http/retry";
import type { Middleware, Send } from "..";

/** The options for tokens that are not in the settings. */
export interface TokenOptions {
  readonly source: TokenSource;
  /** Receives every token. */
  readonly redactor: Pick<Redactor, "add">;
  /** The headers of a request that carries a token. */
  headers(token: string): Readonly<Record<string, string>>;
  /** True if a response issues something that ends with the token. */
  handsOut?(answer: HttpAnswer): boolean;
  readonly runtime: Runtime;
  readonly warn: (text: string) => void;
}

/**
 * Sends each request with the current token. A token that expires soon is first renewed or replaced. If the server rejects a
 * token, the request is repeated once with a new token, because the rejected request was not carried out.
 */
export function sendTokens(options: TokenOptions): Middleware {
  return (next) => {
    const sender = new TokenSender(options, next);
    return (request) => sender.send(request);
  };
}

class TokenSender {
  #held: Promise<Held> | undefined;

  constructor(
    private readonly options: TokenOptions,
    private readonly next: Send,
  ) {}

  async send(request: HttpRequest): Promise<HttpAnswer> {
    if (request.skipsToken) return this.next(request);
    const held = await this.#current(request);
    const answer = await this.#sentWith(held, request);
    if (answer.status !== 401 && answer.status !== 403) return answer;
    const next = await this.#inPlaceOf(held, request);
    if (next === undefined) return answer;
    assertRepeatable(request, answer);
    return this.#sentWith(next, request);
  }

  async #sentWith(held: Held, request: HttpRequest): Promise<HttpAnswer> {
    const { source, headers, handsOut } = this.options;
    const answer = await this.next({ ...request, headers: { ...headers(held.token), ...request.headers } });
    source.warnOfExpiry?.(held, handsOut?.(answer) === true);
    return answer;
  }

  /** The current token. All requests that wait for it share one lookup. */
  async #current(request: HttpRequest): Promise<Held> {
    const pending = this.#held ?? this.#kept(this.options.source.get(request));
    const held = await pending;
    if (this.options.runtime.now() < held.renewAt) return held;
    // The first caller renews the token for all callers.
    return this.#held === pending ? this.#kept(this.#renewed(held, request)) : this.#current(request);
  }

  async #renewed(held: Held, request: HttpRequest): Promise<Held> {
    const { source } = this.options;
    return (await source.renew(held, request)) ?? source.get(request);
  }

  /** A replacement for a rejected token; undefined if the source has only the same token. */
  async #inPlaceOf(refused: Held, request: HttpRequest): Promise<Held | undefined> {
    const { source, warn } = this.options;
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
      warn(`a request was rejected, and there is no other token to try: ${error.message}`);
      return undefined;
    }
  }

  /** Stores the token for later requests, unless the lookup fails. */
  #kept(getting: Promise<Held>): Promise<Held> {
    const kept = getting.then(
      (held) => {
        this.options.redactor.add([held.token]);
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
export interface Held {
  readonly token: string;
  readonly since: number;
  readonly endsAt: number;
  /** The time from which the token is to be renewed or replaced. */
  readonly renewAt: number;
  readonly isRenewable: boolean;
}

/** A source of tokens that are not in the settings. */
export interface TokenSource {
  /** @throws ServiceError if there is no token, never with an unknown outcome: the request was not sent */
  get(request: HttpRequest): Promise<Held>;
  /** Extends the life of a token; undefined if this fails. */
  renew(held: Held, request: HttpRequest): Promise<Held | undefined>;
  /** True if the source may have a replacement for a token that was just rejected. */
  mayHaveAnother(held: Held): boolean;
  /** Receives every response to a request that carried the token. */
  warnOfExpiry?(held: Held, hasHandedOut: boolean): void;
}

/** The parts of an error for a request without a token. */
export interface NoToken {
  readonly service: string;
  /** The reason, as it follows "was not sent: ". */
  readonly why: string;
  readonly advice: string;
  readonly kind?: ErrorKind;
  readonly words?: string;
  readonly attempts?: number;
  /** The IDs of the request that asked for a token. */
  readonly ids?: RequestIds | undefined;
}

/** The error of a request that was not sent because it has no token. */
export function withoutToken(
  { method, path }: Pick<HttpRequest, "method" | "path">,
  { service, why, advice, words, kind = "unauthenticated", attempts = 0, ids }: NoToken,
): ServiceError {
  return serviceError(kind, {
    service,
    method,
    path,
    event: `was not sent: ${why}`,
    advice,
    attempts,
    ids,
    ...(words !== undefined && { words }),
  });
}
