import type { Redactor } from "../../../../../packages/redact";
import type { Client } from "../../../http/client";
import { describeWords } from "../../../http/describe";
import { ServiceError, withoutIds } from "../../../http/errors";
import type { Runtime } from "../../../http/options";
import type { HttpAnswer, HttpRequest } from "../../../http/request";
import type { Login, LoginParameter, LoginSettings, TokenRequest } from "../../../language/login";
import type { Service } from "../../../language/service";
import { durationText, NANOSECONDS_PER_MS } from "../../../value/duration";
import type { Json } from "../../../value/json";
import { NoText, textOfFile, textOfVariable } from "./fromFile";
import { type Held, type TokenSource, withoutToken } from "./withToken";

/** Time limits for a login or renewal, and for a revocation, in milliseconds. */
const LOGIN_MS = 30_000;
const REVOCATION_MS = 700;
/** The part of a token's life after which it is renewed. */
const RENEWED_AFTER = 2 / 3;
/** If a renewal adds less than this part of the first life, it is one of the last: a new login is due. */
const WORTH_RENEWING = 1 / 2;
/** A token that is younger than this (in milliseconds) and has not ended is not the reason for a rejection. */
const YOUNG_MS = 10_000;

/** The options of a login. */
export interface FromLoginOptions {
  /** Sends the requests of a login, which bring their own proof of identity. */
  readonly send: Client["send"];
  readonly service: Service;
  readonly login: Login;
  readonly settings: LoginSettings;
  /** The setting that contains the login. */
  readonly setting: string;
  /** The headers of a request with or without a token. */
  headers(token?: string): Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives the parameters that are not written as plain text. A role's name, for example, is not secret. */
  readonly redactor: Pick<Redactor, "add">;
  readonly runtime: Runtime;
  readonly warn: (text: string) => void;
  /** Registers a function to run before the process ends. */
  readonly beforeEnd?: ((deed: () => Promise<unknown>) => void) | undefined;
}

/** Tokens from a login. They are renewed while possible, then replaced by a new login, and revoked at the end. */
export class FromLogin implements TokenSource {
  readonly #made = new Set<string>();
  #lifeMs = 0;
  #isKept = false;

  constructor(private readonly options: FromLoginOptions) {
    const { login, settings, beforeEnd } = options;
    if (login.revocation && settings.keep !== true) beforeEnd?.(() => this.revoke());
  }

  async get(request: HttpRequest): Promise<Held> {
    const { service, login, settings, setting } = this.options;
    const path = `${service.prefix}/${settings.path ?? login.path?.slice(1) ?? ""}`;
    const given = await this.#parameters(request);
    const answer = await this.#loggedIn(request, path, given);
    const issued = isSuccess(answer) ? login.tells(answer) : undefined;
    if (issued === undefined) {
      const words = describeWords(answer, service.words, Object.values(given));
      const lacks = isSuccess(answer) ? login.lacks?.(answer) : undefined;
      const why = lacks?.why ?? `returned ${answer.status}${isSuccess(answer) ? " without a token" : ""}`;
      throw withoutToken(request, {
        service: service.name,
        why: `its login, POST ${path}, ${why}`,
        words,
        advice:
          lacks?.advice ??
          `Check the path and the parameters in ${setting}, and that the parameters have not expired.`,
        attempts: answer.attempts,
        ids: answer.ids,
      });
    }
    this.#lifeMs = (issued.seconds ?? Number.POSITIVE_INFINITY) * 1000;
    this.#made.add(issued.token);
    return this.#held(issued);
  }

  async renew(held: Held, request: HttpRequest): Promise<Held | undefined> {
    const { login } = this.options;
    if (login.renewal === undefined || !held.isRenewable) return undefined;
    try {
      const answer = await this.#sent(login.renewal, held.token, request, LOGIN_MS);
      const issued = isSuccess(answer) ? login.tells(answer) : undefined;
      const lasts = (issued?.seconds ?? Number.POSITIVE_INFINITY) * 1000;
      return issued === undefined || lasts < this.#lifeMs * WORTH_RENEWING ? undefined : this.#held(issued);
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  mayHaveAnother({ since, endsAt }: Held): boolean {
    const now = this.options.runtime.now();
    return now - since > YOUNG_MS || now >= endsAt;
  }

  /** Issued credentials end with the token that requested them. Such a token is not revoked, and one warning reports it. */
  warnOfExpiry({ token, since, endsAt }: Held, hasHandedOut: boolean): void {
    if (!hasHandedOut) return;
    this.#made.delete(token);
    const { service, settings, setting, login, warn } = this.options;
    const isRevoked = settings.keep !== true && login.revocation !== undefined;
    const life = durationText(endsAt - since, NANOSECONDS_PER_MS);
    if (this.#isKept || (!isRevoked && life === undefined)) return;
    this.#isKept = true;
    const ends =
      life === undefined ? "" : `, ${life} after the token was issued, unless the token is renewed`;
    const kept = isRevoked
      ? ` The token is therefore not revoked at the end of this process. If this is intended, set ${setting}.keep.`
      : "";
    warn(`${service.name}: the new credentials expire with the token of the login${ends}.${kept}`);
  }

  /** Revokes every token that this login created. */
  async revoke(): Promise<void> {
    const { revocation } = this.options.login;
    if (revocation === undefined) return;
    const made = [...this.#made];
    this.#made.clear();
    const label = { definition: this.options.service.name, step: "logout" };
    // Tokens that are not revoked in time expire on their own.
    await Promise.allSettled(made.map((token) => this.#sent(revocation, token, { label }, REVOCATION_MS)));
  }

  #held({
    token,
    seconds = Number.POSITIVE_INFINITY,
    isRenewable,
  }: {
    readonly token: string;
    readonly seconds?: number;
    readonly isRenewable: boolean;
  }): Held {
    const since = this.options.runtime.now();
    const lifeMs = seconds * 1000;
    return { token, since, endsAt: since + lifeMs, renewAt: since + lifeMs * RENEWED_AFTER, isRenewable };
  }

  async #parameters(request: HttpRequest): Promise<Record<string, string>> {
    const { service, settings, setting } = this.options;
    const read: Record<string, string> = {};
    for (const [name, parameter] of Object.entries(settings.parameters ?? {})) {
      try {
        read[name] = await this.#read(parameter, request.signal);
      } catch (error) {
        if (!(error instanceof NoText)) throw error;
        throw withoutToken(request, {
          service: service.name,
          why: error.message,
          advice: `${setting}.parameters.${name} refers to it.`,
        });
      }
    }
    return read;
  }

  async #read(parameter: LoginParameter, signal?: AbortSignal): Promise<string> {
    if (typeof parameter === "string") return parameter;
    const { value, env, file = "" } = parameter;
    const { env: variables, redactor } = this.options;
    const secret =
      value ??
      (env === undefined ? await textOfFile(file, variables, signal) : textOfVariable(env, variables));
    redactor.add([secret]);
    return secret;
  }

  async #loggedIn(
    request: HttpRequest,
    path: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<HttpAnswer> {
    const { service, send, headers, setting } = this.options;
    try {
      return await send({
        label: request.label,
        method: "POST",
        path,
        headers: headers(),
        body: { ...parameters } satisfies { [name: string]: Json },
        contentType: "application/json",
        // A repeated login only creates a second token.
        nature: "read",
        expect: "text",
        grace: LOGIN_MS,
        skipsToken: true,
        isOfCopy: true,
        secrets: Object.values(parameters),
      });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw withoutToken(request, {
        service: service.name,
        why: `its login failed: ${withoutIds(error.message)}`,
        advice: `The login is configured in ${setting}.`,
        attempts: error.attempts,
        ids: error.ids,
        kind: "unreachable",
      });
    }
  }

  #sent(
    { method, path, body }: TokenRequest,
    token: string,
    { label }: Pick<HttpRequest, "label">,
    grace: number,
  ): Promise<HttpAnswer> {
    const { service, send, headers } = this.options;
    return send({
      label,
      method,
      path: service.prefix + path,
      headers: headers(token),
      ...(body !== undefined && { body, contentType: "application/json" }),
      nature: "read",
      expect: "text",
      grace,
      skipsToken: true,
      isOfCopy: true,
    });
  }
}

const isSuccess = ({ status }: HttpAnswer) => status >= 200 && status < 300;
