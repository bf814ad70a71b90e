import { isObject, type Members } from "../../json";
import type { StubRequest } from "../../service";
import { failed, invalid } from "./errors";
import type { Switches } from "./settings";

type Edition = Pick<Switches, "dialect" | "edition">;

/** Whether there are namespaces, partitions, sameness groups and rate limits. */
export function isEnterprise({ dialect, edition }: Edition): boolean {
  return (edition ?? (dialect === "real" ? "community" : "enterprise")) === "enterprise";
}

/** 400 for a parameter that the community edition does not have, whatever it says. */
export function requireParameters({ query }: StubRequest, switches: Edition): void {
  if (isEnterprise(switches)) return;
  for (const [name, feature] of PARAMETERS) {
    if (query.has(name))
      throw invalid(`Invalid query parameter: "${name}" - ${feature} are a Consul Enterprise feature`);
  }
}

const PARAMETERS = [
  ["ns", "Namespaces"],
  ["partition", "Partitions"],
] as const;

/** The paths of all namespaces that a body names, whatever they are. */
export function namespacesIn(value: unknown, at = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => namespacesIn(each, `${at}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = at === "" ? name : `${at}.${name}`;
    return name === "Namespace" ? [path] : namespacesIn(member, path);
  });
}

/** 500 for what only the enterprise edition does. */
export function requireEdition({ RateLimits, Services }: Members, switches: Edition): void {
  if (isEnterprise(switches)) return;
  if (RateLimits !== undefined)
    throw failed(
      "1 error occurred:\n\t* invalid rate_limits config. Rate limiting is a consul enterprise feature\n\n",
    );
  const consumers = membersOf(Services).flatMap(({ Consumers }, service) =>
    membersOf(Consumers).map(
      (consumer, index) => [`Services[${service}].Consumers[${index}]`, consumer] as const,
    ),
  );
  const group = consumers.find(([, { SamenessGroup }]) => (SamenessGroup ?? "") !== "");
  if (group) throw failed(`${group[0]}: sameness-groups are an enterprise-only feature`);
}

function membersOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
