import { ActionableError, manualCheck } from "../http/remedies";
import type { Problem } from "../language/rules";
import type { ProductVariables, Service } from "../language/service";
import { commonSettings, environmentName, settingCommand, TOKEN_SETTINGS } from "../language/settings";
import { isObject, type Json, objectIn } from "../value/json";
import { withoutTrailing } from "../value/scalar";
import { dialectOf, type NamedDialect } from "./dialect";

const CONNECTIONS = "quarterdeck:connections";

/** A configuration that cannot be used. The error lists every problem with its setting. */
export class ConfigurationError extends ActionableError {
  override readonly name = "ConfigurationError";
  constructor(readonly problems: readonly Problem[]) {
    // Each reason explains the correction.
    super(problems.map(({ path, reason }) => `${path}: ${reason}`).join("\n"), [manualCheck("")]);
  }
}

/** The source of the configuration. */
export interface Configuration {
  /** A value in the stack's configuration, by its full key. */
  get(key: string): string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * True if the state stores this configuration, from an earlier time. The environment then overrides the credentials and
   * time limits, but never the server's address.
   */
  readonly isStored?: boolean;
}

/** Settings as written, with their sources, before validation. */
export interface Given {
  readonly given: Readonly<Record<string, Json>>;
  /** The environment variable of each setting that is not from the configuration. */
  readonly variables: Readonly<Record<string, string>>;
  readonly aliases: readonly string[];
  /** The configuration key that contains the settings. */
  readonly key: string;
  readonly dialect: NamedDialect;
}

/**
 * The settings of a connection, from the configuration. The service's own connection also uses the environment. The
 * product's own variables come last, and only if the servers use the product's own names.
 * @throws {@link ConfigurationError} if the connection does not exist, or its settings are not an object
 */
export function givenSettings(
  service: Service,
  name: string | undefined,
  configuration: Configuration,
): Given {
  if (name !== undefined) return namedSettings(service, name, configuration);
  const key = `quarterdeck:${service.name}`;
  const given = inOurNames(parsedObject(configuration.get(key), key));
  const dialect = dialectOf(service, configuration, { given, key });
  const variables: Record<string, string> = {};
  const take = (found: readonly Found[]) => {
    const address = addressIn(found);
    // An environment for a different server of this kind overrides no stored setting and no stored token.
    const isNewer = configuration.isStored === true && isSamePlace(given.address, address);
    const ours = TOKEN_SETTINGS.filter((setting) => given[setting] !== undefined);
    const brings = found.some(({ setting }) => isTokenSetting(setting));
    // There are several token settings. A newer source that sets one of them replaces all others.
    const renews = brings && isNewer && ours.every((setting) => variables[setting] === undefined);
    if (renews) for (const setting of ours) delete given[setting];
    for (const { setting, text, variable } of found) {
      if (isTokenSetting(setting) && ours.length > 0 && !renews) continue;
      const isKnown = given[setting] !== undefined;
      if (isKnown && (variables[setting] !== undefined || !isNewer || !RENEWED.has(setting))) continue;
      given[setting] = text;
      variables[setting] = variable;
    }
  };
  const { env } = configuration;
  const own = Object.keys({ ...commonSettings, ...service.settings }).flatMap((setting) =>
    findVariable(env, setting, [environmentName(service, setting)]),
  );
  // A token belongs to the address beside it.
  take(isSamePlace(given.address, addressIn(own)) ? own : withoutToken(own));
  const product = service.dialects[dialect.name]?.variables;
  const found = product === undefined ? [] : productSettings(product, env);
  const address = addressIn(found);
  // A product's variables are for the server that the product's own CLI uses. Its token must not be sent to a different
  // address.
  if (isSamePlace(given.address, address)) take(address === undefined ? withoutToken(found) : found);
  return { given, variables, aliases: [], key, dialect };
}

/** A setting from the environment. */
interface Found {
  readonly setting: string;
  readonly text: string;
  readonly variable: string;
}

const addressIn = (found: readonly Found[]) => found.find(({ setting }) => setting === "address")?.text;

const withoutToken = (found: readonly Found[]) => found.filter(({ setting }) => !isTokenSetting(setting));

function findVariable(env: Configuration["env"], setting: string, names: readonly string[]): Found[] {
  const variable = names.find((name) => (env[name] ?? "") !== "");
  return variable === undefined ? [] : [{ setting, variable, text: env[variable] ?? "" }];
}

function productSettings({ names, address }: ProductVariables, env: Configuration["env"]): Found[] {
  return Object.entries(names)
    .flatMap(([setting, variables]) => findVariable(env, setting, variables))
    .map((found) =>
      found.setting === "address" && address ? { ...found, text: address(found.text, env) } : found,
    );
}

function namedSettings(service: Service, name: string, configuration: Configuration): Given {
  const connections = parsedObject(configuration.get(CONNECTIONS), CONNECTIONS);
  const found =
    Object.entries(connections).find(([own]) => own === name) ??
    Object.entries(connections).find(([, entry]) => aliasesOf(entry).includes(name));
  if (found === undefined) {
    const reason = `has no connection ${JSON.stringify(name)} (known connections: ${Object.keys(connections).join(", ") || "none"})`;
    throw new ConfigurationError([{ path: CONNECTIONS, reason }]);
  }
  const [own, entry] = found;
  const key = `quarterdeck:connections.${own}.${service.name}`;
  const given = isObject(entry) ? entry[service.name] : undefined;
  if (!isObject(given))
    throw new ConfigurationError([
      { path: key, reason: "is missing: the connection has no settings for this product" },
    ]);
  const aliases = [own, ...aliasesOf(entry)].filter((alias) => alias !== name);
  // A named connection does not read the environment.
  const dialect = dialectOf(service, { get: configuration.get, env: {} }, { given, key });
  return { given, variables: {}, aliases, key, dialect };
}

function aliasesOf(entry: Json | undefined): string[] {
  const aliases = isObject(entry) ? entry.aliases : undefined;
  return Array.isArray(aliases) ? aliases.map(String) : [];
}

/** Settings that may be outdated in a state, such as credentials. They never select a server or an object. */
const RENEWED = new Set<string>([
  ...TOKEN_SETTINGS,
  "caFile",
  "clientCertFile",
  "clientKeyFile",
  "timeout",
  "maxRetries",
]);

const isTokenSetting = (setting: string) => TOKEN_SETTINGS.some((name) => name === setting);

/** True unless the environment contains an address that differs from the given one. */
export function isSamePlace(given: Json | undefined, fromEnvironment = ""): boolean {
  if (given === undefined || fromEnvironment === "") return true;
  const [one, other] = [String(given), fromEnvironment].map((text) =>
    URL.canParse(text) ? withoutTrailing(new URL(text).href, "/") : text,
  );
  return one === other;
}

/**
 * The server that a connection uses, and the setting or variable that names it. Leaves out the credentials and the query of
 * a URL.
 */
export function serverNotice({ name }: Service, { given, variables, key }: Given): string {
  const address = String(given.address);
  const { origin, pathname } = URL.canParse(address) ? new URL(address) : { origin: "no URL", pathname: "/" };
  return `${name}: ${pathname === "/" ? origin : origin + pathname} (from ${variables.address ?? `${key}.address`})`;
}

/** The command that sets the address of a connection. */
export const addressCommand = (key: string) => settingCommand(`${key}.address`, "https://…");

function parsedObject(text: string | undefined, key: string): { [name: string]: Json } {
  if (text === undefined || text.trim() === "") return {};
  const value = objectIn(text);
  if (value === undefined) {
    const reason = key === CONNECTIONS ? "is not an object" : `is not an object; run: ${addressCommand(key)}`;
    throw new ConfigurationError([{ path: key, reason }]);
  }
  return value;
}

/** The Python SDK passes a dict with Python names: `ca_file` is `caFile`. */
export function inOurNames(given: { readonly [name: string]: Json }): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
