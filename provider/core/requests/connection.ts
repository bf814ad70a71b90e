import { z } from "zod";
import { type Client, type ClientOptions, createClient, type Runtime } from "../http/client";
import { AdvisedError, checked } from "../http/waysOn";
import type { Connection } from "../language/connection";
import type { Problem } from "../language/rules";
import type { Dialect, Service, Settings } from "../language/service";
import { commonSettings, environmentName } from "../language/settings";
import { isObject, type Json, objectIn } from "../value/json";
import { memoByObject } from "../value/memo";
import { withoutTrailing } from "../value/quoted";
import { renameMembers, renameParameters } from "./dialect";

/** A configuration that cannot be used; every problem is told at once, with the setting that it is about. */
export class ConfigurationError extends AdvisedError {
  override readonly name = "ConfigurationError";
  constructor(readonly problems: readonly Problem[]) {
    // Each reason says what to correct.
    super(problems.map(({ path, reason }) => `${path}: ${reason}`).join("\n"), [checked("")]);
  }
}

/** Where the configuration comes from. */
export interface Configuration {
  /** A value of the stack's configuration, by its full key. */
  get(key: string): string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Whether the configuration is the one that a state holds, from some earlier time: by what the service is asked, the
   * environment says before it then. Where the service is, it does not.
   */
  readonly isStored?: boolean;
}

/** What a process hands to its connections. */
export interface ConnectionOptions {
  readonly runtime: Runtime;
  readonly userAgent: string;
  readonly warn: (message: string) => void;
  /** Makes the clients; undici's where nothing else is said. */
  readonly createClient?: (options: ClientOptions) => Client;
}

/**
 * Makes the connection that a resource asks for.
 * @throws {@link ConfigurationError} naming each setting that is missing or wrong, and where it is set.
 */
export function connect(
  service: Service,
  name: string | undefined,
  configuration: Configuration,
  options: ConnectionOptions,
): Connection {
  const { given, aliases, key } = givenSettings(service, name, configuration);
  const settings = validated(service, given, key);
  const dialectName = String(settings.dialect ?? "neutral");
  const dialect = service.dialects[dialectName];
  if (dialect === undefined) {
    const reason = `is ${JSON.stringify(dialectName)}; allowed: ${Object.keys(service.dialects).join(", ")}`;
    throw new ConfigurationError([{ path: `${key}.dialect`, reason }]);
  }
  let client: Client | undefined;
  return {
    service,
    ...(name !== undefined && { name }),
    aliases,
    settings,
    dialect,
    runtime: options.runtime,
    async send(request) {
      const body = request.body === undefined ? undefined : renameMembers(request.body, dialect, "dialect");
      client ??= clientFor(service, settings, dialect, configuration, options);
      const answer = await client.send({
        contentType: service.contentType,
        ...request,
        path: request.isAtRoot ? request.path : service.prefix + request.path,
        ...(request.query && { query: renameParameters(request.query, dialect) }),
        ...(body !== undefined && { body }),
      });
      return answer.json === undefined
        ? answer
        : { ...answer, json: renameMembers(answer.json, dialect, "specification") };
    },
  };
}

function clientFor(
  service: Service,
  settings: Settings,
  dialect: Dialect,
  configuration: Configuration,
  options: ConnectionOptions,
): Client {
  const text = (name: string) =>
    typeof settings[name] === "string" ? (settings[name] as string) : undefined;
  const [caFile, clientCertFile, clientKeyFile, token] = [
    "caFile",
    "clientCertFile",
    "clientKeyFile",
    "token",
  ].map(text);
  return (options.createClient ?? createClient)({
    service: service.name,
    address: text("address") ?? "",
    headers: { ...service.headers(settings, dialect) },
    secrets: token === undefined ? [] : [token],
    tls: {
      ...(caFile !== undefined && { caFile }),
      ...(clientCertFile !== undefined && { clientCertFile }),
      ...(clientKeyFile !== undefined && { clientKeyFile }),
    },
    ...(typeof settings.timeout === "number" && { timeoutMs: settings.timeout * 1000 }),
    ...(typeof settings.maxRetries === "number" && { maxRetries: settings.maxRetries }),
    userAgent: options.userAgent,
    env: { ...configuration.env },
    runtime: options.runtime,
    warn: options.warn,
  });
}

/** The settings as written: the configuration's, and the environment's for the service's own connection. */
function givenSettings(service: Service, name: string | undefined, configuration: Configuration) {
  if (name === undefined) {
    const key = `quarterdeck:${service.name}`;
    const given: Record<string, Json> = inOurNames(parsedObject(configuration.get(key), key));
    const address = configuration.env[environmentName(service, "address")];
    // An environment that is made for another server of this kind says nothing of this one, and gives it no token.
    const isNewer = configuration.isStored === true && isSamePlace(given.address, address);
    for (const setting of Object.keys({ ...commonSettings, ...service.settings })) {
      const fallback = configuration.env[environmentName(service, setting)];
      if (fallback === undefined || fallback === "") continue;
      if (given[setting] === undefined || (isNewer && RENEWED.has(setting))) given[setting] = fallback;
    }
    return { given, aliases: [], key };
  }
  const connections = parsedObject(configuration.get("quarterdeck:connections"), "quarterdeck:connections");
  const found =
    Object.entries(connections).find(([own]) => own === name) ??
    Object.entries(connections).find(([, entry]) => aliasesOf(entry).includes(name));
  if (found === undefined) {
    const reason = `has no connection ${JSON.stringify(name)} (there: ${Object.keys(connections).join(", ") || "none"})`;
    throw new ConfigurationError([{ path: "quarterdeck:connections", reason }]);
  }
  const [own, entry] = found;
  const key = `quarterdeck:connections.${own}.${service.name}`;
  const given = isObject(entry) ? entry[service.name] : undefined;
  if (!isObject(given))
    throw new ConfigurationError([{ path: key, reason: "is missing: the connection has no such service" }]);
  return { given, aliases: [own, ...aliasesOf(entry)].filter((alias) => alias !== name), key };
}

function aliasesOf(entry: Json | undefined): string[] {
  const aliases = isObject(entry) ? entry.aliases : undefined;
  return Array.isArray(aliases) ? aliases.map(String) : [];
}

/** By what a service is asked, of which a state may hold what is no longer so; never which service is asked, and for what. */
const RENEWED = new Set(["token", "caFile", "clientCertFile", "clientKeyFile", "timeout", "maxRetries"]);

/** Whether an environment's address, where it has one, is no other than the one given. */
function isSamePlace(given: Json | undefined, fromEnvironment = ""): boolean {
  if (given === undefined || fromEnvironment === "") return true;
  const [one, other] = [String(given), fromEnvironment].map((text) =>
    URL.canParse(text) ? withoutTrailing(new URL(text).href, "/") : text,
  );
  return one === other;
}

const NUMERIC = new Set(["timeout", "maxRetries"]);

function parsedObject(text: string | undefined, key: string): { [name: string]: Json } {
  if (text === undefined || text.trim() === "") return {};
  const value = objectIn(text);
  if (value === undefined) {
    const reason = `is not an object; set it with: pulumi config set --path '${key}.address' https://…`;
    throw new ConfigurationError([{ path: key, reason }]);
  }
  return value;
}

function validated(service: Service, given: { [name: string]: Json }, key: string): Settings {
  const { settings, problems } = settingsIn(service, given, key);
  if (given.address === undefined) {
    const variable = environmentName(service, "address");
    const reason = `is missing; set it with: pulumi config set --path '${key}.address' https://…, or in ${variable}`;
    problems.push({ path: `${key}.address`, reason });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return settings;
}

const schemaOf = memoByObject((service: Service) =>
  z.strictObject({ ...commonSettings, ...service.settings }),
);

/** A service's settings as far as they are given, and what is wrong with them. */
export function settingsIn(
  service: Service,
  given: { readonly [name: string]: Json },
  key: string,
): { settings: Settings; problems: Problem[] } {
  const schema = schemaOf(service);
  const result = schema.safeParse(withNumbers(inOurNames(given)));
  const allowed = Object.keys(schema.shape).join(", ");
  const issues = result.success ? [] : result.error.issues;
  const problems = issues.flatMap((issue): Problem[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((name) => ({
          path: `${key}.${name}`,
          reason: `there is no such setting; known: ${allowed}`,
        }))
      : [{ path: `${key}.${issue.path.join(".")}`, reason: issue.message }],
  );
  // The schema's values are text, numbers, booleans and lists of text, which is what Settings holds.
  return { settings: (result.data ?? {}) as Settings, problems };
}

/** The SDK of Python hands a dict on with that language's names: `ca_file` is `caFile`. */
function inOurNames(given: { readonly [name: string]: Json }): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}

/** Numbers may come as text: from the environment, and from an engine that keeps what `config set` was given. */
function withNumbers(given: { readonly [name: string]: Json }) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const isNumber = NUMERIC.has(name) && typeof value === "string" && value.trim() !== "";
      return [name, isNumber ? Number(value) : value];
    }),
  );
}
