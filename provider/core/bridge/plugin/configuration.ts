import {
  type CheckRequest,
  CheckResponse,
  type DiffRequest,
  DiffResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { ADOPTION } from "../../language/adoption";
import type { Problem } from "../../language/rules";
import type { Service } from "../../language/service";
import { DIALECT } from "../../language/settings";
import { dialectProblem } from "../../requests/dialect";
import { adoptionProblems, settingsIn } from "../../requests/settings";
import { formatJson, isObject, type Json, objectIn, ownMember } from "../../value/json";
import { same } from "../../value/scalar";
import { hasUnknown, type Inputs, isKnown, type Value } from "../../value/unknown";
import { addFailures } from "./failures";
import { parseProperties, structOf } from "./values";

/** The services of a package by name. Each service loads when its settings are read. */
export type Services = Readonly<Record<string, () => Service>>;

/** The setting that contains further connections, by name. */
const CONNECTIONS = "connections";

/** The settings that are single strings, with their checks. */
const STRINGS = new Map<string, (written: string, services: Services) => Problem[]>([
  [nameOf(ADOPTION), adoptionProblems],
  [nameOf(DIALECT), dialectProblems],
]);

/** The members that the engine, or this package's SDK, adds to the settings. */
const NO_SETTINGS = new Set(["version", "pluginDownloadURL", "bridge"]);

/** Checks a provider's settings. A provider stores all of them, except the one that only names the bridge. */
export function checkConfig(services: Services, request: CheckRequest): CheckResponse {
  const { values, bag } = parseProperties(request.getNews());
  const { bridge: _, ...stored } = bag;
  const response = new CheckResponse();
  // The engine restores the secret marks in the inputs.
  response.setInputs(structOf(stored));
  return addFailures(response, configurationProblems(services, values));
}

/**
 * The problems of a provider's settings. Most settings are an object, or the same object as JSON text. Unknown settings are
 * checked once they are known. Missing settings are reported by the resource that needs them.
 */
export function configurationProblems(services: Services, given: Inputs): Problem[] {
  return settingNames(given).flatMap((name): Problem[] => {
    const path = `quarterdeck:${name}`;
    if (hasUnknown(given[name]) || given[name] === null) return [];
    const check = STRINGS.get(name);
    if (check !== undefined) return check(settingText(given, path) ?? "", services);
    if (name !== CONNECTIONS && !Object.hasOwn(services, name)) {
      const known = [...Object.keys(services), CONNECTIONS, ...STRINGS.keys()].join(", ");
      return [{ path, reason: `unknown setting; known: ${known}` }];
    }
    const value = asObject(given[name]);
    if (value === undefined) return [{ path, reason: "is not an object" }];
    return name === CONNECTIONS
      ? connectionProblems(services, value, path)
      : serviceProblems(services, name, value, path);
  });
}

/** All services have the same dialects. */
function dialectProblems(name: string, services: Services): Problem[] {
  return Object.values(services)
    .slice(0, 1)
    .flatMap((service) => dialectProblem(service(), { name }) ?? []);
}

function nameOf(key: string): string {
  return key.replace("quarterdeck:", "");
}

function connectionProblems(
  services: Services,
  connections: { [name: string]: Json },
  at: string,
): Problem[] {
  return Object.entries(connections).flatMap(([own, entry]) => {
    const path = `${at}.${own}`;
    if (!isObject(entry)) return [{ path, reason: "is not an object" }];
    const { aliases: _, ...settings } = entry;
    return Object.entries(settings).flatMap(([name, value]) =>
      serviceProblems(services, name, value, `${path}.${name}`),
    );
  });
}

function serviceProblems(services: Services, name: string, value: Json, path: string): Problem[] {
  const service = ownMember(services, name)?.();
  if (service === undefined)
    return [{ path, reason: `unknown service; known: ${Object.keys(services).join(", ")}` }];
  return isObject(value) ? settingsIn(service, value, path).problems : [{ path, reason: "is not an object" }];
}

/** A setting as text, as in the stack's configuration; undefined if it is not set. */
export function settingText(given: Inputs, key: string): string | undefined {
  const value = ownMember(given, key.replace(/^quarterdeck:/, ""));
  if (value === undefined || value === null || !isKnown(value)) return undefined;
  return typeof value === "string" ? value : formatJson(value);
}

/** The changed settings, regardless of their notation. */
export function diffConfig(request: DiffRequest): DiffResponse {
  // The inputs in the state, if the engine sends these. A provider has no outputs of its own.
  const { values: before } = parseProperties(request.getOldInputs() ?? request.getOlds());
  const { values: now } = parseProperties(request.getNews());
  const names = new Set([...settingNames(before), ...settingNames(now)]);
  const changed = [...names].filter((name) => {
    const was = ownMember(before, name);
    const is = ownMember(now, name);
    // Compares the meaning: an object equals its JSON text.
    return !same(asObject(was) ?? was, asObject(is) ?? is);
  });
  const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
  const response = new DiffResponse();
  response.setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE);
  response.setDiffsList(changed);
  return response;
}

function settingNames(given: Inputs): string[] {
  return Object.keys(given).filter((name) => !NO_SETTINGS.has(name) && !name.startsWith("__"));
}

/** A setting as an object, regardless of its notation. */
function asObject(value: Value | undefined): { [name: string]: Json } | undefined {
  if (!isKnown(value)) return undefined;
  if (typeof value === "string") return objectIn(value);
  return isObject(value) ? value : undefined;
}
