import type { Redactor } from "../../../../../packages/redact";
import { mayBeSentAgain } from "../../../http/again";
import type { Runtime } from "../../../http/client";
import { type ErrorKind, type RequestIds, ServiceError, serviceError } from "../../../http/errors";
import type { HttpAnswer, HttpRequest } from "../../../http/request";
import type { Middleware, Send } from "..";

/** What it takes to send with tokens that are not written in the settings. */
export interface TokenOptions {
  readonly source: TokenSource;
  /** Receives every token. */
  readonly redactor: Pick<Redactor, "add">;
  /** The headers of a request that carries a token. */
  headers(token: string): Readonly<Record<string, string>>;
  /** Whether an answer hands out something that ends with the token. */
  handsOut?(answer: HttpAnswer): boolean;
  readonly runtime: Runtime;
  readonly warn: (text: string) => void;
}

/**
 * Sends each request with the token that there is now. One that ends soon is renewed first, or another one is got; one that
 * is refused is got anew, once for each request: nothing of what was refused was carried out.
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
    if (request.bringsToken) return this.next(request);
    const held = await this.#current(request);
    const answer = await this.#sentWith(held, request);
    if (answer.status !== 401 && answer.status !== 403) return answer;
    const next = await this.#inPlaceOf(held, request);
    if (next === undefined || !(await mayBeSentAgain(request))) return answer;
    return this.#sentWith(next, request);
  }

  async #sentWith(held: Held, request: HttpRequest): Promise<HttpAnswer> {
    const { source, headers, handsOut } = this.options;
    const answer = await this.next({ ...request, headers: { ...headers(held.token), ...request.headers } });
    source.answered?.(held, handsOut?.(answer) === true);
    return answer;
  }

  /** The token of now: got once for all who wait for it. */
  async #current(request: HttpRequest): Promise<Held> {
    const pending = this.#held ?? this.#kept(this.options.source.get(request));
    const held = await pending;
    if (this.options.runtime.now() < held.renewAt) return held;
    // Whoever comes first renews for all.
    return this.#held === pending ? this.#kept(this.#renewed(held, request)) : this.#current(request);
  }

  async #renewed(held: Held, request: HttpRequest): Promise<Held> {
    const { source } = this.options;
    return (await source.renewed(held, request)) ?? source.get(request);
  }

  /** Another token in place of one that was refused; undefined where there is none but the same. */
  async #inPlaceOf(refused: Held, request: HttpRequest): Promise<Held | undefined> {
    const { source, warn } = this.options;
    try {
      const pending = this.#held;
      const now = await pending;
      if (now !== undefined && now.token !== refused.token) return now;
      // Somebody else has begun to get another one.
      if (this.#held !== pending) return this.#inPlaceOf(refused, request);
      if (!source.mayHaveAnother(refused)) return undefined;
      const next = await this.#kept(source.get(request));
      return next.token === refused.token ? undefined : next;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // The refusal itself is what the request is told.
      warn(`a request was refused, and there is no other token to try: ${error.message}`);
      return undefined;
    }
  }

  /** Kept for whoever comes next, unless there is none. */
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

/** A token that is in use. Times are milliseconds since the epoch; what has no end ends at infinity. */
export interface Held {
  readonly token: string;
  readonly since: number;
  readonly endsAt: number;
  /** From when on it is to be renewed, or another one made. */
  readonly renewAt: number;
  readonly isRenewable: boolean;
}

/** Where a token is from that is not written in the settings. */
export interface TokenSource {
  /** @throws ServiceError, never an unclear one, for a token that cannot be had: the request was not sent */
  get(request: HttpRequest): Promise<Held>;
  /** Makes a token last longer; undefined where that does not succeed. */
  renewed(held: Held, request: HttpRequest): Promise<Held | undefined>;
  /** Whether another token may be had in place of one that was just refused. */
  mayHaveAnother(held: Held): boolean;
  /** Told of every answer to a request that carried the token. */
  answered?(held: Held, hasHandedOut: boolean): void;
}

/** What a person is told of a request for which there is no token. */
export interface NoToken {
  readonly service: string;
  /** Why there is none, as it follows "was not sent: ". */
  readonly why: string;
  readonly advice: string;
  readonly kind?: ErrorKind;
  readonly words?: string;
  readonly attempts?: number;
  /** Of the request by which one was asked for. */
  readonly ids?: RequestIds | undefined;
}

/** The error of a request that was not sent, because there is no token for it. */
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
    unclear: false,
    ...(words !== undefined && { words }),
  });
}
