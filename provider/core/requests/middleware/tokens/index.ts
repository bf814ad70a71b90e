import type { Redactor } from "../../../../../packages/redact";
import type { LoginSettings } from "../../../language/login";
import type { Problem } from "../../../language/rules";
import type { Dialect, Service, Settings } from "../../../language/service";
import type { ConnectionOptions } from "../../connectionOptions";
import type { Configuration } from "../../given";
import type { Middleware, Send } from "..";
import { FromFile } from "./fromFile";
import { FromLogin } from "./fromLogin";
import { sendTokens, type TokenSource } from "./withToken";

/** The inputs that determine the source of a connection's tokens. */
interface Asking {
  readonly service: Service;
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly configuration: Pick<Configuration, "env">;
  readonly options: Pick<ConnectionOptions, "runtime" | "warn" | "beforeEnd">;
  /** The configuration key of the settings. */
  readonly key: string;
  /** Receives the tokens. */
  readonly redactor: Redactor;
}

/**
 * Sends requests with the tokens of a token file or a login. A token in the settings is a header of the client instead.
 * @param send sends the requests of a login
 */
export function authenticate(asking: Asking, send: Send): Middleware {
  const { service, settings, dialect, options, redactor } = asking;
  const source = sourceFor(asking, send);
  if (source === undefined) return (next) => next;
  const { login } = dialect;
  return sendTokens({
    source,
    redactor,
    headers: (token) => service.headers({ ...settings, token }, dialect),
    ...(login?.handsOut && { handsOut: (answer) => login.handsOut?.(answer) === true }),
    runtime: options.runtime,
    warn: options.warn,
  });
}

function sourceFor(
  { service, settings, dialect, configuration, options, key, redactor }: Asking,
  send: Send,
): TokenSource | undefined {
  const { runtime, warn, beforeEnd } = options;
  const { tokenFile } = settings;
  if (typeof tokenFile === "string")
    return new FromFile({
      service: service.name,
      file: tokenFile,
      setting: `${key}.tokenFile`,
      env: configuration.env,
      runtime,
    });
  const login = loginIn(settings);
  if (login === undefined || dialect.login === undefined) return undefined;
  return new FromLogin({
    send,
    service,
    login: dialect.login,
    settings: login,
    setting: `${key}.login`,
    headers: (token) => service.headers({ ...settings, token }, dialect),
    env: configuration.env,
    redactor,
    runtime,
    warn,
    beforeEnd,
  });
}

/** The problem of a login on servers that use this dialect; undefined if the login is valid. */
export function loginProblemOf(settings: Settings, dialect: Dialect, key: string): Problem | undefined {
  const login = loginIn(settings);
  if (login === undefined) return undefined;
  if (dialect.login === undefined)
    return {
      path: `${key}.login`,
      reason: "requires the setting dialect: real",
    };
  if (login.path === undefined && dialect.login.path === undefined)
    return {
      path: `${key}.login.path`,
      reason: "is missing: set the login's path, such as auth/approle/login",
    };
  return undefined;
}

function loginIn({ login }: Settings): LoginSettings | undefined {
  return typeof login === "object" && !Array.isArray(login) ? (login as LoginSettings) : undefined;
}
