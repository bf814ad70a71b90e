import { Redactor } from "../../../packages/redact";
import { type Client, createClient } from "../http/client";
import type { Connection, Dialect, Service } from "../language/service";
import { environmentName } from "../language/settings";
import type { ConnectionOptions, ConnectionParts } from "./connectionParts";
import { dialectProblem } from "./dialect";
import { type Configuration, ConfigurationError, type Given, givenSettings, serverNotice } from "./given";
import {
  addressService,
  compose,
  readWarnings,
  type Send,
  translateNames,
  waitForServer,
} from "./middleware";
import { sendInCluster } from "./middleware/cluster";
import { Primary } from "./middleware/primary";
import { authenticate, loginProblemOf } from "./middleware/tokens";
import { validSettings } from "./settings";

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
  const settings = validSettings(service, written);
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
    ...tokenAdviceFor(service, name, written, configuration),
    send: compose(
      [
        readWarnings(service),
        translateNames(dialect),
        addressService(service),
        waitForServer(service, options.runtime),
      ],
      (request) => sending().send(request),
    ),
    ...(dialect.replication && { primary: async (request) => sending().primary?.(request) }),
  };
}

function usedDialect(service: Service, { dialect }: Given): Dialect {
  const problem = dialectProblem(service, dialect);
  if (problem !== undefined) throw new ConfigurationError([problem]);
  // `dialectProblem` proves that the service has the dialect.
  return service.dialects[dialect.name] as Dialect;
}

/** Advice for a rejected token. A named connection does not read the environment. */
function tokenAdviceFor(
  service: Service,
  name: string | undefined,
  written: Given,
  configuration: Configuration,
): Pick<Connection, "tokenAdvice"> {
  const { given, variables, key, dialect } = written;
  if (given.login !== undefined || given.tokenFile !== undefined) return {};
  if (given.token === undefined) {
    const product = service.dialects[dialect.name]?.variables?.names.token ?? [];
    const names = name === undefined ? [...product, environmentName(service, "token")] : [];
    const places = [...names, `${key}.token`].join(" or ");
    return { tokenAdvice: { isSet: false, text: `No token is set: set ${places}.` } };
  }
  const isTokenStored = configuration.isStored === true && variables.token === undefined;
  const text = isTokenStored
    ? renewal(service, name, key)
    : `The token comes from ${variables.token ?? `${key}.token`}.`;
  return { tokenAdvice: { isSet: true, text } };
}

/** The remedy for a rejected token from the state. A named connection does not read the environment. */
function renewal(service: Service, name: string | undefined, key: string): string {
  const variable = environmentName(service, "token");
  const fromEnvironment =
    name === undefined
      ? `Set a valid token in ${variable}, which takes precedence over the state. Or run`
      : "Run";
  return (
    `The last pulumi up stored this token in the state (${key}.token), and the token may have expired. ` +
    `${fromEnvironment} the program to set the token: use pulumi up without --refresh, or add --run-program to a refresh or destroy.`
  );
}

/** Sends the requests of a connection to the servers that show the latest write. */
type Sending = Pick<Connection, "send" | "primary">;

function sendingFor(parts: ConnectionParts): Sending {
  const { service, settings, dialect, options } = parts;
  const { cluster, replication } = dialect;
  const { runtime, warn } = options;
  const about = { service: service.name, prefix: service.prefix, warn };
  const address = String(settings.address);
  const client = clientFor(parts);
  const inner = compose(
    [
      ...(cluster ? [sendInCluster({ ...about, cluster, address, runtime })] : []),
      // A login is sent like every other request of the connection.
      authenticate(parts, (request) => send(request)),
    ],
    (request) => client.send(request),
  );
  const setting = replication && settings[replication.setting];
  const named = typeof setting === "string" ? setting : undefined;
  const primary = replication && new Primary({ ...about, replication, named }, inner);
  const send: Send = primary ? (request) => primary.send(request) : inner;
  return { send, ...(primary && { primary: (request) => primary.primary(request) }) };
}

function clientFor({
  service,
  settings,
  dialect,
  configuration,
  options,
  redactor,
}: ConnectionParts): Client {
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
