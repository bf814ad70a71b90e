import { z } from "zod";
import { Redactor } from "../../../packages/redact";
import { type Client, createClient } from "../http/client";
import { innerSchema } from "../language/fields";
import type { Problem } from "../language/rules";
import type { Connection, Dialect, Service, Settings } from "../language/service";
import { commonSettings, environmentName, TOKEN_SETTINGS } from "../language/settings";
import { type Json, objectIn, ownMember } from "../value/json";
import { memoByObject } from "../value/memo";
import type { ConnectionOptions } from "./connectionOptions";
import { dialectProblem } from "./dialectOf";
import {
  addressCommand,
  type Configuration,
  ConfigurationError,
  type Given,
  givenSettings,
  inOurNames,
  serverNotice,
} from "./given";
import { compose, type Send } from "./middleware";
import { sendInCluster } from "./middleware/cluster";
import { addressService, translateNames } from "./middleware/dialect";
import { waitForLeader } from "./middleware/leader";
import { Primary } from "./middleware/primary";
import { authenticate, loginProblemOf } from "./middleware/tokens";
import { readWarnings } from "./middleware/warnings";

/**
 * Creates the connection of a resource.
 * @throws {@link ConfigurationError} with each setting that is missing or wrong, and where it is set.
 */
export function connect(
  service: Service,
  name: string | undefined,
  configuration: Configuration,
  options: ConnectionOptions,
): Connection {
  const written = givenSettings(service, name, configuration);
  const { aliases, key } = written;
  const settings = validate(service, written);
  const dialect = usedDialect(service, written);
  const loginProblem = loginProblemOf(settings, dialect, key);
  if (loginProblem !== undefined) throw new ConfigurationError([loginProblem]);
  options.inform?.(serverNotice(service, written));
  const redactor = new Redactor(typeof settings.token === "string" ? [settings.token] : []);
  let opened: Sending | undefined;
  const sending = () => {
    opened ??= sendingFor({ service, settings, dialect, configuration, options, key, redactor });
    return opened;
  };
  return {
    service,
    ...(name !== undefined && { name }),
    aliases,
    settings,
    dialect,
    runtime: options.runtime,
    redactor,
    ...(isTokenStored(written, configuration) && { renewsToken: renewal(service, name, key) }),
    send: compose(
      [
        readWarnings(service),
        translateNames(dialect),
        addressService(service),
        waitForLeader(service, options.runtime),
      ],
      (request) => sending().send(request),
    ),
    ...(dialect.replication && { primary: async (request) => sending().primary?.(request) }),
  };
}

function usedDialect(service: Service, { dialect }: Given): Dialect {
  const problem = dialectProblem(service, dialect);
  const used = service.dialects[dialect.name];
  if (problem !== undefined || used === undefined) throw new ConfigurationError(problem ? [problem] : []);
  return used;
}

/** True if the token comes from an older configuration in the state. */
function isTokenStored({ given, variables }: Given, { isStored }: Configuration): boolean {
  return isStored === true && given.token !== undefined && variables.token === undefined;
}

/** The remedy for a rejected token from the state. A named connection does not read the environment. */
function renewal(service: Service, name: string | undefined, key: string): string {
  const variable = environmentName(service, "token");
  const fromEnvironment =
    name === undefined
      ? `Set a valid token in ${variable}, which takes precedence over the state; or run`
      : "Run";
  return (
    `The last pulumi up stored this token in the state (${key}.token), and the token may have expired. ` +
    `${fromEnvironment} the program, which sets the token: use pulumi up without --refresh, or add --run-program to a refresh or destroy.`
  );
}

/** The parts of a connection. */
interface Making {
  readonly service: Service;
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly configuration: Configuration;
  readonly options: ConnectionOptions;
  /** The configuration key of the settings. */
  readonly key: string;
  /** Receives the secrets that become known while requests are sent. */
  readonly redactor: Redactor;
}

/** Sends the requests of a connection to the servers that show the latest write. */
type Sending = Pick<Connection, "send" | "primary">;

function sendingFor(made: Making): Sending {
  const { service, settings, dialect, options } = made;
  const { cluster, replication } = dialect;
  const { name, prefix } = service;
  const { runtime, warn } = options;
  const named = replication && settings[replication.setting];
  const client = clientFor(made);
  const inner = compose(
    [
      ...(cluster
        ? [
            sendInCluster({
              cluster,
              service: name,
              address: String(settings.address),
              prefix,
              runtime,
              warn,
            }),
          ]
        : []),
      // A login is sent like every other request of the connection.
      authenticate(made, (request) => send(request)),
    ],
    (request) => client.send(request),
  );
  const primary =
    replication &&
    new Primary(
      { replication, service: name, prefix, named: typeof named === "string" ? named : undefined, warn },
      inner,
    );
  const send: Send = primary ? (request) => primary.send(request) : inner;
  return { send, ...(primary && { primary: (request) => primary.primary(request) }) };
}

function clientFor({ service, settings, dialect, configuration, options, redactor }: Making): Client {
  const text = (name: string) =>
    typeof settings[name] === "string" ? (settings[name] as string) : undefined;
  const [caFile, clientCertFile, clientKeyFile] = ["caFile", "clientCertFile", "clientKeyFile"].map(text);
  return (options.createClient ?? createClient)({
    service: service.name,
    address: text("address") ?? "",
    headers: { ...service.headers(settings, dialect) },
    redactor,
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
    log: options.log,
    ...(service.requestId && { requestIdIn: service.requestId }),
    ...(service.errorKind && { errorKind: service.errorKind }),
  });
}

const NUMERIC = new Set(["timeout", "maxRetries"]);
const BOOLEANS = new Map([
  ["true", true],
  ["false", false],
]);

function validate(service: Service, { given, key, variables, dialect }: Given): Settings {
  const { settings, problems } = settingsIn(service, given, key, variables);
  const tokens = TOKEN_SETTINGS.filter((name) => given[name] !== undefined);
  if (tokens.length > 1)
    problems.push({ path: key, reason: `has ${tokens.join(" and ")}: set only one of them` });
  if (given.address === undefined) {
    const product = service.dialects[dialect.name]?.variables?.names.address ?? [];
    const variable = [environmentName(service, "address"), ...product].join(" or ");
    const reason = `is missing; set ${variable}, or run: ${addressCommand(key)}`;
    problems.push({ path: `${key}.address`, reason });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return settings;
}

const schemaOf = memoByObject((service: Service) =>
  z.strictObject({ ...commonSettings, ...service.settings }),
);

/**
 * Parses the settings of a service. Returns the valid settings and the problems.
 * @param variables the environment variables that set some of them
 */
export function settingsIn(
  service: Service,
  given: { readonly [name: string]: Json },
  key: string,
  variables: Given["variables"] = {},
): { settings: Settings; problems: Problem[] } {
  const schema = schemaOf(service);
  const result = schema.safeParse(asWritten(schema.shape, inOurNames(given)));
  const allowed = Object.keys(schema.shape).join(", ");
  const issues = result.success ? [] : result.error.issues;
  const problems = issues.flatMap((issue): Problem[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((name) => ({
          path: `${key}.${name}`,
          reason: `unknown setting; known: ${allowed}`,
        }))
      : [
          {
            path: `${key}.${issue.path.join(".")}`,
            reason: issue.message + from(variables[String(issue.path[0])]),
          },
        ],
  );
  // The schema allows only strings, numbers, booleans, string lists and logins, as `Settings` does.
  return { settings: (result.data ?? {}) as Settings, problems };
}

const from = (variable: string | undefined) => (variable === undefined ? "" : ` (from ${variable})`);

/**
 * Numbers, booleans and objects may be strings: in the environment, and in an engine that stores a `config set` argument as
 * given.
 */
function asWritten(shape: Readonly<Record<string, z.ZodType>>, given: { readonly [name: string]: Json }) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (typeof value !== "string" || value.trim() === "") return [name, value];
      if (name === "login") return [name, objectIn(value) ?? value];
      const schema = ownMember(shape, name);
      if (schema && innerSchema(schema) instanceof z.ZodBoolean) return [name, BOOLEANS.get(value) ?? value];
      return [name, NUMERIC.has(name) ? Number(value) : value];
    }),
  );
}
