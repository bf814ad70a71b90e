import type { ServiceName } from "./service";
import type { SpecifiedEndpoint } from "./specified/endpoint";
import { mesh } from "./specified/mesh";
import { scheduler } from "./specified/scheduler";
import { secrets } from "./specified/secrets";
import { workspaces } from "./specified/workspaces";

/** Every endpoint of the specification. */
export const SPECIFICATION: readonly SpecifiedEndpoint[] = Object.entries({
  workspaces,
  scheduler,
  secrets,
  mesh,
}).flatMap(([service, rows]) =>
  rows.map(([method, path, section]) => ({ service: service as ServiceName, method, path, section })),
);

/** The specification's default mount paths, by its placeholders. */
const MOUNTS: Readonly<Record<string, string>> = {
  "{mq_mount}": "msgq",
  "{cloud_mount}": "cloud",
  "{ldap_mount}": "ldap",
  "{kv_mount}": "kv",
};

/** The endpoint of a request, with engines at their default mounts; undefined if there is none. */
export function endpointOf(
  service: ServiceName,
  method: string,
  path: string,
  query: URLSearchParams,
): SpecifiedEndpoint | undefined {
  const verb = method === "GET" && query.get("list") === "true" ? "LIST" : method === "PUT" ? "POST" : method;
  const [plain] = path.split("?");
  const found = SPECIFICATION.filter(
    (endpoint) => endpoint.service === service && isAt(endpoint.path, plain ?? ""),
  );
  return (
    found.find((endpoint) => endpoint.method === method) ?? found.find((endpoint) => endpoint.method === verb)
  );
}

function isAt(pattern: string, path: string): boolean {
  const parts = pattern.split("/");
  const segments = path.split("/");
  // A literal segment takes precedence over a parameter.
  const isShadowed = segments.includes("manage") && !parts.includes("manage");
  const hasRest = pattern.endsWith("*");
  return (
    (hasRest ? segments.length >= parts.length : segments.length === parts.length) &&
    !isShadowed &&
    parts.every((part, index) => part.startsWith(":") || (MOUNTS[part] ?? part) === segments[index])
  );
}
