import { describeWords } from "../../../http/describe";
import { ServiceError, withoutIds } from "../../../http/errors";
import { type HttpRequest, type HttpResponse, isSuccess } from "../../../http/request";
import type { Issued, Login, LoginParameter, LoginSettings, TokenRequest } from "../../../language/login";
import { durationText, NANOSECONDS_PER_MS } from "../../../value/duration";
import type { ConnectionParts } from "../../connectionParts";
import { NoText, textOfFile, textOfVariable } from "../../secretSources";
import type { Send } from "..";
import { heldFrom, type TokenInUse, type TokenSource, withoutToken } from "./withToken";

/** Time limits for a login or renewal, and for a revocation, in milliseconds. */
const LOGIN_MS = 30_000;
const REVOCATION_MS = 700;
/** If a renewal adds less than this part of the first life, it is one of the last: a new login is due. */
const WORTH_RENEWING = 1 / 2;
/** A token that is younger than this (in milliseconds) and has not ended is not the reason for a rejection. */
const YOUNG_MS = 10_000;

/** Tokens from a login. They are renewed while possible, then replaced by a new login, and revoked at the end. */
export class FromLogin implements TokenSource {
  readonly #made = new Set<string>();
  /** How long the token of the last login is valid. */
  #seconds = 0;
  #isKept = false;

  /** @param send sends the requests of the login, which bring their own proof of identity */
  constructor(
    private readonly parts: ConnectionParts,
    private readonly login: Login,
    private readonly settings: LoginSettings,
    private readonly send: Send,
  ) {
    if (this.#isRevoked) parts.options.beforeEnd?.(() => this.revoke());
  }

  /** True if the tokens are revoked at the end of the process. */
  get #isRevoked(): boolean {
    return this.login.revocation !== undefined && this.settings.keep !== true;
  }

  /** The setting that contains the login. */
  get #setting(): string {
    return `${this.parts.key}.login`;
  }

  async get(request: HttpRequest): Promise<TokenInUse> {
    const { login, settings } = this;
    const { service } = this.parts;
    const path = `/${settings.path ?? login.path?.slice(1) ?? ""}`;
    const given = await this.#parameters(request);
    const answer = await this.#loggedIn(request, path, given);
    const issued = isSuccess(answer) ? login.tells(answer) : undefined;
    if (issued === undefined) {
      const words = describeWords(answer, service.errorMessage, Object.values(given));
      const lacks = isSuccess(answer) ? login.lacks?.(answer) : undefined;
      const why = lacks?.why ?? `returned ${answer.status}${isSuccess(answer) ? " without a token" : ""}`;
      throw withoutToken(request, {
        service: service.name,
        why: `its login, POST ${service.prefix}${path}, ${why}`,
        words,
        advice:
          lacks?.advice ??
          `Check the path and the parameters in ${this.#setting}, and that the parameters have not expired.`,
        attempts: answer.attempts,
        ids: answer.ids,
      });
    }
    this.#seconds = issued.seconds ?? Number.POSITIVE_INFINITY;
    this.#made.add(issued.token);
    return this.#held(issued);
  }

  async renew(held: TokenInUse, request: HttpRequest): Promise<TokenInUse | undefined> {
    const { login } = this;
    if (login.renewal === undefined || !held.isRenewable) return undefined;
    try {
      const answer = await this.#sent(login.renewal, { label: request.label }, LOGIN_MS, held.token);
      const issued = isSuccess(answer) ? login.tells(answer) : undefined;
      if (issued === undefined) return undefined;
      const { seconds = Number.POSITIVE_INFINITY } = issued;
      return seconds < this.#seconds * WORTH_RENEWING ? undefined : this.#held(issued);
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  mayHaveAnother({ since, endsAt }: TokenInUse): boolean {
    const now = this.parts.options.runtime.now();
    return now - since > YOUNG_MS || now >= endsAt;
  }

  /** Issued credentials end with the token that requested them. Such a token is not revoked, and one warning reports it. */
  warnOfExpiry({ token, since, endsAt }: TokenInUse, hasHandedOut: boolean): void {
    if (!hasHandedOut) return;
    this.#made.delete(token);
    const { service, options } = this.parts;
    const life = durationText(endsAt - since, NANOSECONDS_PER_MS);
    if (this.#isKept || (!this.#isRevoked && life === undefined)) return;
    this.#isKept = true;
    const ends =
      life === undefined ? "" : `, ${life} after the token was issued, unless the token is renewed`;
    const kept = this.#isRevoked
      ? ` The token is therefore not revoked at the end of this process. If this is intended, set ${this.#setting}.keep.`
      : "";
    options.warn(`${service.name}: the new credentials expire with the token of the login${ends}.${kept}`);
  }

  /** Revokes every token that this login created. */
  async revoke(): Promise<void> {
    const { revocation } = this.login;
    if (revocation === undefined) return;
    const made = [...this.#made];
    this.#made.clear();
    const label = { definition: this.parts.service.name, step: "logout" };
    // Tokens that are not revoked in time expire on their own.
    await Promise.allSettled(made.map((token) => this.#sent(revocation, { label }, REVOCATION_MS, token)));
  }

  #held(issued: Issued): TokenInUse {
    return heldFrom(issued, this.parts.options.runtime.now());
  }

  async #parameters(request: HttpRequest): Promise<Record<string, string>> {
    const read: Record<string, string> = {};
    for (const [name, parameter] of Object.entries(this.settings.parameters ?? {})) {
      try {
        read[name] = await this.#read(parameter, request.signal);
      } catch (error) {
        if (!(error instanceof NoText)) throw error;
        throw withoutToken(request, {
          service: this.parts.service.name,
          why: error.message,
          advice: `${this.#setting}.parameters.${name} refers to it.`,
        });
      }
    }
    return read;
  }

  async #read(parameter: LoginParameter, signal?: AbortSignal): Promise<string> {
    if (typeof parameter === "string") return parameter;
    const { value, env, file = "" } = parameter;
    const { configuration, redactor } = this.parts;
    const { env: variables } = configuration;
    const secret =
      value ??
      (env === undefined ? await textOfFile(file, variables, signal) : textOfVariable(env, variables));
    // A parameter that is written as plain text, such as the name of a role, is not secret.
    redactor.add([secret]);
    return secret;
  }

  async #loggedIn(
    request: HttpRequest,
    path: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<HttpResponse> {
    const { label } = request;
    const secrets = Object.values(parameters);
    try {
      return await this.#sent(
        { method: "POST", path, body: { ...parameters } },
        { label, secrets },
        LOGIN_MS,
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw withoutToken(request, {
        service: this.parts.service.name,
        why: `its login failed: ${withoutIds(error.message)}`,
        advice: `The login is configured in ${this.#setting}.`,
        attempts: error.attempts,
        ids: error.ids,
        kind: "unreachable",
      });
    }
  }

  /** Sends a request that needs no other token. */
  #sent(
    { method, path, body }: TokenRequest,
    request: Pick<HttpRequest, "label" | "secrets">,
    grace: number,
    token?: string,
  ): Promise<HttpResponse> {
    const { service, settings, dialect } = this.parts;
    return this.send({
      ...request,
      method,
      path: service.prefix + path,
      headers: service.headers({ ...settings, token }, dialect),
      ...(body !== undefined && { body, contentType: "application/json" }),
      // A repeated login only creates a second token.
      nature: "read",
      expect: "text",
      grace,
      skipsToken: true,
      isOfCopy: true,
    });
  }
}
