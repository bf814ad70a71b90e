import type { HttpAnswer } from "../http/request";
import type { Problem } from "../language/rules";
import type { Connection, Service } from "../language/service";
import { DEFAULT_DIALECT, DIALECT, DIALECT_VARIABLE, environmentName } from "../language/settings";
import type { Json } from "../value/json";

/** Settings by full key, and the environment variables. */
interface Named {
  get(key: string): string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A dialect's name, and the setting or the environment variable that gives it. */
export interface NamedDialect {
  readonly name: string;
  /** The configuration key or the variable; undefined for the default. */
  readonly source?: string;
}

/**
 * The dialect of a service's connection. The first of these that is set wins: the connection's own setting,
 * `quarterdeck:dialect`, the environment. The default is `real`.
 * @param own the connection's settings, and their key in the configuration
 */
export function dialectOf(
  service: Service,
  { get, env }: Named,
  own: { readonly given: Readonly<Record<string, Json>>; readonly key: string },
): NamedDialect {
  const variable = environmentName(service, "dialect");
  const candidates: readonly (readonly [source: string, name: Json | undefined])[] = [
    [`${own.key}.dialect`, own.given.dialect],
    [DIALECT, get(DIALECT)],
    [variable, env[variable]],
    [DIALECT_VARIABLE, env[DIALECT_VARIABLE]],
  ];
  const found = candidates.find(([, name]) => name !== undefined && name !== "");
  return found === undefined ? { name: DEFAULT_DIALECT } : { source: found[0], name: String(found[1]) };
}

/** The problem if the service does not have this dialect; otherwise undefined. */
export function dialectProblem(
  { dialects }: Service,
  { name, source = DIALECT }: NamedDialect,
): Problem | undefined {
  if (Object.hasOwn(dialects, name)) return undefined;
  const allowed = Object.keys(dialects).join(", ");
  return { path: source, reason: `is ${JSON.stringify(name)}; allowed: ${allowed}` };
}

/** The advice for a response with the headers of a different dialect; undefined for any other response. */
export function otherDialectAdvice(
  { service, dialect, name: connection }: Pick<Connection, "service" | "dialect" | "name">,
  { headers }: Pick<HttpAnswer, "headers">,
): string | undefined {
  const isShown = (pattern: RegExp | undefined) =>
    pattern !== undefined && Object.keys(headers).some((name) => pattern.test(name));
  if (isShown(dialect.answerHeaders)) return undefined;
  const other = Object.entries(service.dialects).find(([, { answerHeaders }]) => isShown(answerHeaders));
  if (other === undefined) return undefined;
  const [name] = other;
  const inConnections = connection === undefined ? "" : `connections.${connection}.`;
  const key = `quarterdeck:${inConnections}${service.name}`;
  return (
    `The server responds in the dialect "${name}", which this connection does not use. ` +
    `Run: pulumi config set --path --plaintext '${key}.dialect' ${name}`
  );
}
