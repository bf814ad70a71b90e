import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** A login that a service accepts, and the token that it issues. */
export const loginOf = <Token extends z.ZodType>(token: Token) =>
  z.strictObject({
    /** The exact parameters of the login. */
    parameters: z.record(z.string(), z.string()),
    token,
    /** The validity of a token, and its maximum validity including renewals; 0 means no end. */
    seconds: z.int().nonnegative().default(3600),
    maximumSeconds: z.int().nonnegative().default(0),
    /** The number of permitted uses; unlimited by default. */
    uses: z.int().positive().optional(),
  });

/** A login of a service with any type of token. */
export interface TakenLogin<Token> {
  readonly parameters: Readonly<Record<string, string>>;
  readonly token: Token;
  readonly seconds: number;
  readonly maximumSeconds: number;
  readonly uses?: number | undefined;
}

/** An issued token. Times are milliseconds since the epoch, by the mock server's clock. */
export interface IssuedToken<Token> {
  readonly secret: string;
  readonly token: Token;
  readonly since: number;
  /** Undefined if it never expires. */
  readonly end?: number;
}

/** The tokens that a service has issued for logins, until they expire. */
export class IssuedTokens<Token, Login extends TakenLogin<Token> = TakenLogin<Token>> {
  readonly #issued = new Map<string, IssuedToken<Token> & { readonly login: Login }>();
  readonly #used = new Map<Login, number>();
  #logins: readonly Login[] = [];
  #count = 0;

  /** The number of tokens that have not expired. */
  live(now: number): number {
    return [...this.#issued.keys()].filter((secret) => this.find(secret, now) !== undefined).length;
  }

  take(logins: readonly Login[]): void {
    this.#logins = [...this.#logins, ...logins];
  }

  /** Issues a token for a login's parameters; undefined if no login matches. */
  issue(
    given: unknown,
    now: number,
    isOf: (login: Login) => boolean = () => true,
  ): IssuedToken<Token> | undefined {
    const usesOf = (one: Login) => this.#used.get(one) ?? 0;
    const login = this.#logins.find(
      (one) =>
        isOf(one) &&
        isDeepStrictEqual(one.parameters, given) &&
        usesOf(one) < (one.uses ?? Number.POSITIVE_INFINITY),
    );
    if (login === undefined) return undefined;
    this.#used.set(login, usesOf(login) + 1);
    this.#count += 1;
    const secret = `issued-${String(this.#count).padStart(4, "0")}`;
    return this.#kept({ secret, token: login.token, since: now, login }, now);
  }

  find(secret: string, now: number): Token | undefined {
    const found = this.#issued.get(secret);
    return found === undefined || (found.end !== undefined && found.end <= now) ? undefined : found.token;
  }

  /** Renews a token for its original validity, up to its maximum. */
  renew(secret: string, now: number): IssuedToken<Token> | undefined {
    const found = this.#issued.get(secret);
    return found === undefined || this.find(secret, now) === undefined ? undefined : this.#kept(found, now);
  }

  /** Ends a token before its expiry. */
  revoke(secret: string): boolean {
    return this.#issued.delete(secret);
  }

  #kept(issued: IssuedToken<Token> & { readonly login: Login }, now: number): IssuedToken<Token> {
    const { seconds, maximumSeconds } = issued.login;
    const { end: _, ...rest } = issued;
    const most = maximumSeconds === 0 ? Number.POSITIVE_INFINITY : issued.since + maximumSeconds * 1000;
    const kept = seconds === 0 ? rest : { ...rest, end: Math.min(now + seconds * 1000, most) };
    this.#issued.set(issued.secret, kept);
    return kept;
  }
}
