import type { LoginSettings } from "../../../language/login";
import type { Problem } from "../../../language/rules";
import type { Dialect, Settings } from "../../../language/service";
import type { ConnectionParts } from "../../connectionParts";
import { NoText, textOfFile } from "../../secretSources";
import type { Middleware, Send } from "..";
import { FromLogin } from "./fromLogin";
import { heldFrom, TokenSender, type TokenSource, withoutToken } from "./withToken";

/**
 * Sends each request with the current token of a token file or a login. A token that expires soon is first renewed or
 * replaced. If the server rejects a token, the request is repeated once with a new token, because the rejected request was not
 * carried out. A token in the settings is a header of the client instead.
 * @param send sends the requests of a login
 */
export function authenticate(parts: ConnectionParts, send: Send): Middleware {
  const source = sourceFor(parts, send);
  if (source === undefined) return (next) => next;
  return (next) => {
    const sender = new TokenSender(parts, source, next);
    return (request) => sender.send(request);
  };
}

function sourceFor(parts: ConnectionParts, send: Send): TokenSource | undefined {
  const { settings, dialect } = parts;
  if (typeof settings.tokenFile === "string") return fromFile(parts, settings.tokenFile);
  const login = loginIn(settings);
  if (login === undefined || dialect.login === undefined) return undefined;
  return new FromLogin(parts, dialect.login, login, send);
}

/** A token in a file that someone else maintains and may replace. The file is read again after a rejection. */
function fromFile({ service, key, configuration, options }: ConnectionParts, file: string): TokenSource {
  return {
    get: async (request) => {
      try {
        const token = await textOfFile(file, configuration.env, request.signal);
        return heldFrom({ token, isRenewable: false }, options.runtime.now());
      } catch (error) {
        if (!(error instanceof NoText)) throw error;
        const advice = `Correct ${key}.tokenFile, or create the file.`;
        throw withoutToken(request, { service: service.name, why: error.message, advice });
      }
    },
    renew: async () => undefined,
    mayHaveAnother: () => true,
  };
}

/** The problem of a login on servers that use this dialect; undefined if the login is valid. */
export function loginProblemOf(settings: Settings, dialect: Dialect, key: string): Problem | undefined {
  const login = loginIn(settings);
  if (login === undefined) return undefined;
  if (dialect.login === undefined)
    return { path: `${key}.login`, reason: "requires the setting dialect: real" };
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
