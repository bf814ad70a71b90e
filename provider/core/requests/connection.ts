import { z } from "zod";
import { type Client, type ClientOptions, createClient, type Runtime } from "../http/client";
import type { Connection } from "../language/connection";
import type { Problem } from "../language/rules";
import type { Dialect, Service, Settings } from "../language/service";
import { commonSettings, environmentName } from "../language/settings";
import type { Json } from "../value/json";
import { memoByObject } from "../value/memo";
import { renameMembers, renameParameters } from "./dialect";
import { type Configuration, ConfigurationError, type Given, givenSettings, inOurNames } from "./given";
import { InCluster } from "./inCluster";
import { InPrimary } from "./inPrimary";
import { untilLed } from "./leaderless";

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
  const written = givenSettings(service, name, configuration);
  const { aliases, key } = written;
  const settings = validated(service, written);
  const dialectName = String(settings.dialect ?? "neutral");
  const dialect = service.dialects[dialectName];
  if (dialect === undefined) {
    const reason = `is ${JSON.stringify(dialectName)}; allowed: ${Object.keys(service.dialects).join(", ")}`;
    throw new ConfigurationError([{ path: `${key}.dialect`, reason }]);
  }
  let opened: Sending | undefined;
  const sending = () => {
    opened ??= sendingFor(service, settings, dialect, configuration, options);
    return opened;
  };
  return {
    service,
    ...(name !== undefined && { name }),
    aliases,
    settings,
    dialect,
    runtime: options.runtime,
    async send(request) {
      const body = request.body === undefined ? undefined : renameMembers(request.body, dialect, "dialect");
      const repeatWhile = untilLed(service, request, options.runtime);
      const answer = await sending().send({
        contentType: service.contentType,
        ...request,
        ...(repeatWhile && { repeatWhile }),
        path: request.isAtRoot ? request.path : service.prefix + request.path,
        ...(request.query && { query: renameParameters(request.query, dialect) }),
        ...(body !== undefined && { body }),
      });
      return answer.json === undefined
        ? answer
        : { ...answer, json: renameMembers(answer.json, dialect, "specification") };
    },
    ...(dialect.replication && { primary: async (request) => sending().primary?.(request) }),
  };
}

/** What sends the requests of a connection, to the servers that show the latest write. */
type Sending = Pick<Client, "send"> & Pick<Connection, "primary">;

function sendingFor(
  ...[service, settings, dialect, configuration, options]: Parameters<typeof clientFor>
): Sending {
  const client = clientFor(service, settings, dialect, configuration, options);
  const { cluster, replication } = dialect;
  const { name, prefix } = service;
  const { runtime, warn } = options;
  if (replication !== undefined) {
    const given = settings[replication.setting];
    const named = typeof given === "string" ? given : undefined;
    return new InPrimary({ client, replication, service: name, prefix, named, warn });
  }
  if (cluster === undefined) return client;
  const address = String(settings.address);
  return new InCluster({ client, cluster, service: name, address, prefix, runtime, warn });
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

const NUMERIC = new Set(["timeout", "maxRetries"]);

function validated(service: Service, { given, key, variables }: Given): Settings {
  const { settings, problems } = settingsIn(service, given, key, variables);
  if (given.address === undefined) {
    const product = service.dialects[String(given.dialect)]?.variables?.names.address ?? [];
    const variable = [environmentName(service, "address"), ...product].join(" or ");
    const reason = `is missing; set it with: pulumi config set --path '${key}.address' https://…, or in ${variable}`;
    problems.push({ path: `${key}.address`, reason });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return settings;
}

const schemaOf = memoByObject((service: Service) =>
  z.strictObject({ ...commonSettings, ...service.settings }),
);

/**
 * A service's settings as far as they are given, and what is wrong with them.
 * @param variables the environment variables that say some of them
 */
export function settingsIn(
  service: Service,
  given: { readonly [name: string]: Json },
  key: string,
  variables: Given["variables"] = {},
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
      : [
          {
            path: `${key}.${issue.path.join(".")}`,
            reason: issue.message + from(variables[String(issue.path[0])]),
          },
        ],
  );
  // The schema's values are text, numbers, booleans and lists of text, which is what Settings holds.
  return { settings: (result.data ?? {}) as Settings, problems };
}

const from = (variable: string | undefined) => (variable === undefined ? "" : ` (from ${variable})`);

/** Numbers may come as text: from the environment, and from an engine that keeps what `config set` was given. */
function withNumbers(given: { readonly [name: string]: Json }) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const isNumber = NUMERIC.has(name) && typeof value === "string" && value.trim() !== "";
      return [name, isNumber ? Number(value) : value];
    }),
  );
}
