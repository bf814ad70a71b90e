import { isObject, type Members } from "../../json";
import type { StubRequest } from "../../service";
import { sentHeader } from "./dialect";
import { invalid, serverError } from "./errors";
import type { Switches } from "./settings";

type Edition = Pick<Switches, "dialect" | "edition">;

/** True if the edition has namespaces, partitions, sameness groups and rate limits. */
export function isEnterprise({ dialect, edition }: Edition): boolean {
  return (edition ?? (dialect === "real" ? "community" : "enterprise")) === "enterprise";
}

/** Throws a 400 for a header or parameter that the community edition lacks, regardless of its value. */
export function requireParameters({ headers, query }: StubRequest, switches: Edition): void {
  if (isEnterprise(switches)) return;
  for (const [name, header, feature] of PARAMETERS) {
    if (sentHeader(headers, header.toLowerCase(), switches) !== "")
      throw invalid(`Invalid header: "X-Consul-${header}" - ${feature} are a Consul Enterprise feature`);
    if (query.get(name))
      throw invalid(`Invalid query parameter: "${name}" - ${feature} are a Consul Enterprise feature`);
  }
}

const PARAMETERS = [
  ["ns", "Namespace", "Namespaces"],
  ["partition", "Partition", "Partitions"],
] as const;

/** The paths of all namespaces in a body, regardless of their values. */
export function namespacesIn(value: unknown, at = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => namespacesIn(each, `${at}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = at === "" ? name : `${at}.${name}`;
    return name === "Namespace" ? [path] : namespacesIn(member, path);
  });
}

/**
 * The objects of a body that have a partition in the community edition too; a rule then rejects the partition or ignores it.
 */
const PLACEABLE = /(^|\.)(Redirect|Splits\[\d+\]|Destination|Targets\[\d+\]|Consumers\[\d+\])$/;

/** The paths of the partitions in a body that the community edition does not know. */
export function partitionsIn(value: unknown, at = ""): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => partitionsIn(each, `${at}[${index}]`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = at === "" ? name : `${at}.${name}`;
    if (name !== "Partition") return partitionsIn(member, path);
    return PLACEABLE.test(at) ? [] : [path];
  });
}

/** Throws a 500 for enterprise features in the community edition. */
export function requireEdition({ RateLimits, Services }: Members, switches: Edition): void {
  if (isEnterprise(switches)) return;
  if (RateLimits !== undefined)
    throw serverError(
      "1 error occurred:\n\t* invalid rate_limits config. Rate limiting is a consul enterprise feature\n\n",
    );
  const consumers = membersOf(Services).flatMap(({ Consumers }, service) =>
    membersOf(Consumers).map(
      (consumer, index) => [`Services[${service}].Consumers[${index}]`, consumer] as const,
    ),
  );
  const group = consumers.find(([, { SamenessGroup }]) => (SamenessGroup ?? "") !== "");
  if (group) throw serverError(`${group[0]}: sameness-groups are an enterprise-only feature`);
}

function membersOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
