import type { Specified } from "../../provider/core/language/fields";
import { type AnyDefinition, hasLifecycle } from "../../provider/core/language/resource";
import { needsText, type PermissionsRow, permissionsIn, routePath } from "../../provider/core/language/route";
import type { EndpointRow } from "./docsEndpoints";
import { headerOf, table } from "./markdown";
import type { NeededByRequest } from "./neededByRequest";
import { policyOf } from "./policies";
import { productPath, productText } from "./productPaths";

/** The permissions for each request that a resource or a function sent in the tests. */
export function permissionsOf(definition: Specified, endpoints: readonly EndpointRow[]): NeededByRequest[] {
  const { permissions, name } = definition.service;
  return endpoints
    .filter(
      ({ service, users, path }) =>
        service === name &&
        users.includes(definition.token) &&
        routePath(definition.service, path) !== undefined,
    )
    .map(({ method, path }) => {
      // Parameters are written in braces, as in IDs and paths elsewhere.
      const endpoint = (routePath(definition.service, path) ?? path).replace(/:(\w+)/g, "{$1}");
      // The list of endpoints contains only request methods.
      const asked = method as PermissionsRow["methods"][number];
      const byEndpoint = permissionsIn(permissions, asked, endpoint);
      const needs = byEndpoint ?? permissionsIn(permissions, asked, ownPath(definition, method, endpoint));
      return { request: `${method} ${path}`, path: endpoint, needs };
    });
}

/**
 * A resource's own path of an endpoint: for a Consul configuration entry it contains the kind, which the endpoint has as a
 * parameter.
 */
function ownPath(definition: Specified, method: string, endpoint: string): string {
  const life = "life" in definition ? (definition as AnyDefinition) : undefined;
  if (life === undefined || !hasLifecycle(life, "object")) return endpoint;
  const { reads, writes } = life.life;
  const routes = [writes.create, reads.one].filter((route) => isOf(route.path, endpoint));
  const route = routes.find((each) => each.method === method) ?? routes[0];
  return route === undefined ? endpoint : (route.permissionsAt ?? route.path);
}

/** True if a route's path matches an endpoint: `/config/service-defaults/{name}` matches `/config/{kind}/{name}`. */
function isOf(path: string, endpoint: string): boolean {
  const [own, other] = [path.split("/"), endpoint.split("/")];
  return own.length === other.length && other.every((part, at) => part.startsWith("{") || part === own[at]);
}

const code = (right: string) => `\`${right}\``;

function cellOf(definition: Specified, { needs }: NeededByRequest): string {
  if (needs === undefined) return "depends on the kind (see [permissions](permissions.md))";
  return needs.length === 0 ? "none" : productText(definition, needsText(needs, code));
}

/** A request as the product's servers have it. */
function requestCell(definition: Specified, { request }: NeededByRequest): string {
  return code(productPath(definition, request.replace(/:(\w+)/g, "{$1}")));
}

/** The section about permissions on a resource's page. */
export function permissionsSection(definition: AnyDefinition, endpoints: readonly EndpointRow[]): string[] {
  const rows = permissionsOf(definition, endpoints);
  if (rows.length === 0) return [];
  return [
    "## Permissions\n",
    "Permissions that the token needs for each request ([example policies](permissions.md)):\n",
    table(
      ["Request", "Permission"],
      rows.map((row) => [requestCell(definition, row), cellOf(definition, row)]),
    ),
  ];
}

/** The sentence about permissions for a function. */
export function permissionsSentence(definition: Specified, endpoints: readonly EndpointRow[]): string[] {
  const rows = permissionsOf(definition, endpoints);
  if (rows.length === 0) return [];
  const lines = rows.map((row) => `${requestCell(definition, row)}: ${cellOf(definition, row)}`);
  return lines.length === 1
    ? [`Required permission for ${lines[0]}.\n`]
    : [`Required permissions:\n\n${lines.map((line) => `- ${line}\n`).join("")}`];
}

/** Writes the page of all permissions: the permissions of each resource, with a policy if the product has a policy language. */
export function permissionsPage(
  definitions: readonly AnyDefinition[],
  endpoints: readonly EndpointRow[],
): string {
  const services = [...new Set(definitions.map(({ service }) => service))];
  return [
    headerOf(""),
    "# Permissions\n",
    "This page lists the permissions that a token needs to manage each resource: create, read, update, delete, import and wait. Each resource page lists them by request, and a permission error names the permission that its request needs.\n",
    "The policies are written in the product's policy language and use the default mount paths. Replace the placeholders (`NAME`, `+`) and the mounts with your own.\n",
    ...services.flatMap((service) => [
      `## ${service.name} (${service.products.names})\n`,
      ...definitions
        .filter((definition) => definition.service === service)
        .flatMap((definition) => sectionOf(definition, permissionsOf(definition, endpoints))),
    ]),
  ].join("\n");
}

function sectionOf(definition: AnyDefinition, rows: readonly NeededByRequest[]): string[] {
  const policy = policyOf(definition.service, rows);
  const known = rows.filter(({ needs }) => needs !== undefined && needs.length > 0);
  const cells =
    known.length > 0
      ? withoutRepeats(known.map((row) => cellOf(definition, row)))
      : ["depends on the kind (see the kinds below)"];
  const text =
    policy === undefined ? cells.map((cell) => `- ${cell}\n`).join("") : `\`\`\`hcl\n${policy}\n\`\`\`\n`;
  return text === "" ? [] : [`### ${definition.token}\n`, text];
}

/**
 * Removes repeated needs of several requests: the path parameter that names an object is ignored, and a need is dropped if a
 * longer one begins with it.
 */
function withoutRepeats(cells: readonly string[]): string[] {
  const unnamed = [...new Set(cells.map((cell) => cell.replaceAll(/ \{\w+\}/g, "")))];
  return unnamed.filter((cell) => !unnamed.some((other) => other.startsWith(`${cell}; `)));
}
