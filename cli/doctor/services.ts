import { catalog } from "../../provider/catalog";
import type { Provider } from "../../provider/core/bridge/provider";
import { withoutStack } from "../../provider/core/http/errors";
import type { Service } from "../../provider/core/language/service";
import { commonSettings, settingCommand } from "../../provider/core/language/settings";
import { type Configuration, ConfigurationError, givenSettings } from "../../provider/core/requests/given";
import { isObject, objectIn } from "../../provider/core/value/json";
import type { StackResource } from "../state/deployment";
import { missingSettings } from "../state/settings";
import { checkup } from "./checkup";
import { type Finding, type Found, fail, skip } from "./report";

/** The inputs for checking the services. */
interface ServicesChecked {
  readonly configuration: Configuration;
  /** The source of the settings that are not from the environment. */
  readonly source: string;
  /** The resources that use this configuration; undefined if no stack is selected. */
  readonly resources: readonly StackResource[] | undefined;
  /** A read-only provider. */
  readonly host: Provider;
}

/** All services of the catalog, without duplicates. */
function services(): Service[] {
  const all = Object.values(catalog).map((definition) => definition().service);
  return [...new Map(all.map((service) => [service.name, service])).values()];
}

/** Checks every service that the configuration names; it only reads. */
export async function servicesFound(checked: ServicesChecked): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const service of services()) {
    for (const name of [undefined, ...connectionsTo(service, checked.configuration)]) {
      const about =
        name === undefined ? service.name : `${service.name} of the connection ${JSON.stringify(name)}`;
      found.push(...(await serviceFound(service, name, checked)).map((finding) => ({ about, ...finding })));
    }
  }
  return found;
}

async function serviceFound(
  service: Service,
  name: string | undefined,
  { configuration, source, resources, host }: ServicesChecked,
): Promise<Omit<Finding, "about">[]> {
  try {
    const given = givenSettings(service, name, configuration);
    const isWritten = Object.keys(given.given).some((setting) => given.variables[setting] === undefined);
    if (name === undefined && given.given.address === undefined && !isWritten)
      return [{ what: "settings", ...skip(`none: ${missingSettings(service)}`) }];
    const connection = host.connection(service, name);
    const own = resources?.filter(({ inputs }) => inputs.connection === name);
    return await checkup(service, { given, connection, resources: own, source, env: configuration.env });
  } catch (error) {
    return [{ what: "settings", ...unusable(service, error) }];
  }
}

/** Reports unusable settings, with the command that sets or removes the first of them. */
function unusable(service: Service, error: unknown): Found {
  const { message } = withoutStack(error);
  const [problem] = error instanceof ConfigurationError ? error.problems : [];
  if (problem === undefined) return fail(message, "pulumi config");
  const [setting = ""] = problem.path.split(".").slice(-1);
  const isKnown = setting in { ...commonSettings, ...service.settings };
  return fail(
    message,
    isKnown ? settingCommand(problem.path, "VALUE") : `pulumi config rm --path '${problem.path}'`,
  );
}

/** The named connections that include a service. */
function connectionsTo(service: Service, configuration: Configuration): string[] {
  const all = objectIn(configuration.get("quarterdeck:connections") ?? "") ?? {};
  return Object.entries(all).flatMap(([name, entry]) =>
    isObject(entry) && entry[service.name] !== undefined ? [name] : [],
  );
}
