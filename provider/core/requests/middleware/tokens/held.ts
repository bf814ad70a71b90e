import { type ErrorKind, type ServiceError, serviceError } from "../../../http/errors";
import type { RequestIds } from "../../../http/ids";
import type { HttpRequest } from "../../../http/request";

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
