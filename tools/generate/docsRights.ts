import type { Specified } from "../../provider/core/language/fields";
import { type AnyDefinition, livesAs } from "../../provider/core/language/resource";
import { needsText, type RightsRow, rightsIn } from "../../provider/core/language/route";
import type { EndpointRow } from "./docsEndpoints";
import { headerOf, table } from "./markdown";
import type { NeededByRequest } from "./neededByRequest";
import { policyOf } from "./policies";

/** The rights for each request that a resource or a function sent in the tests. */
export function rightsOf(definition: Specified, endpoints: readonly EndpointRow[]): NeededByRequest[] {
  const { rights, prefix, name } = definition.service;
  return endpoints
    .filter(
      ({ service, users, path }) =>
        service === name && users.includes(definition.token) && path.startsWith(prefix),
    )
    .map(({ method, path }) => {
      // Parameters are written in braces, as in ids and paths elsewhere.
      const endpoint = path.slice(prefix.length).replace(/:(\w+)/g, "{$1}");
      // The list of endpoints contains only request methods.
      const asked = method as RightsRow["methods"][number];
      const byEndpoint = rightsIn(rights, asked, endpoint);
      const needs = byEndpoint ?? rightsIn(rights, asked, ownPath(definition, method, endpoint));
      return { request: `${method} ${path}`, path: endpoint, needs };
    });
}

/**
 * A resource's own path of an endpoint: for a Consul configuration entry it contains the kind, which the endpoint has as a
 * parameter.
 */
function ownPath(definition: Specified, method: string, endpoint: string): string {
  const life = "life" in definition ? (definition as AnyDefinition) : undefined;
  if (life === undefined || !livesAs(life, "object")) return endpoint;
  const { reads, writes } = life.life;
  const routes = [writes.create, reads.one].filter((route) => isOf(route.path, endpoint));
  const route = routes.find((each) => each.method === method) ?? routes[0];
  return route === undefined ? endpoint : (route.rightsAt ?? route.path);
}

/** True if a route's path matches an endpoint: `/config/service-defaults/{name}` matches `/config/{kind}/{name}`. */
function isOf(path: string, endpoint: string): boolean {
  const [own, other] = [path.split("/"), endpoint.split("/")];
  return own.length === other.length && other.every((part, at) => part.startsWith("{") || part === own[at]);
}

const code = (right: string) => `\`${right}\``;

function cellOf({ needs }: NeededByRequest): string {
  if (needs === undefined) return "what its kind needs: see [rights](rights.md)";
  return needs.length === 0 ? "nothing" : needsText(needs, code);
}

/** The section about rights on a resource's page. */
export function rightsSection(definition: AnyDefinition, endpoints: readonly EndpointRow[]): string[] {
  const rows = rightsOf(definition, endpoints);
  if (rows.length === 0) return [];
  return [
    "## Rights\n",
    "What the token needs, by the requests that this resource sends ([policies](rights.md)):\n",
    table(
      ["Request", "The token needs"],
      rows.map((row) => [code(row.request), cellOf(row)]),
    ),
  ];
}

/** The sentence about rights for a function. */
export function rightsSentence(definition: Specified, endpoints: readonly EndpointRow[]): string[] {
  const rows = rightsOf(definition, endpoints);
  if (rows.length === 0) return [];
  return [
    `The token needs, for ${rows.map((row) => `${code(row.request)}: ${cellOf(row)}`).join("; for ")}.\n`,
  ];
}

/** Writes the page of all rights: the rights of each resource, with a policy if the product has a policy language. */
export function rightsPage(definitions: readonly AnyDefinition[], endpoints: readonly EndpointRow[]): string {
  const services = [...new Set(definitions.map(({ service }) => service))];
  return [
    headerOf(""),
    "# Rights\n",
    "What a token needs for everything that a resource does in its life: create, read, update, delete, imports and waits. Each page says it by request, and an error that is about a right names the one of its very request. The policies are in the product's own language, with the names of the `real` dialect and its usual mounts; put a name or a mount of yours in place of what stands for one (`NAME`, `+`).\n",
    ...services.flatMap((service) => [
      `## ${service.name}\n`,
      ...definitions
        .filter((definition) => definition.service === service)
        .flatMap((definition) => sectionOf(definition, rightsOf(definition, endpoints))),
    ]),
  ].join("\n");
}

function sectionOf(definition: AnyDefinition, rows: readonly NeededByRequest[]): string[] {
  const policy = policyOf(definition.service, rows);
  const known = rows.filter(({ needs }) => needs !== undefined && needs.length > 0);
  const cells = known.length > 0 ? withoutRepeats(known.map(cellOf)) : ["what its kind needs, as below"];
  const told =
    policy === undefined ? cells.map((cell) => `- ${cell}\n`).join("") : `\`\`\`hcl\n${policy}\n\`\`\`\n`;
  return told === "" ? [] : [`### ${definition.token}\n`, told];
}

/**
 * Removes repeated needs of several requests: the path parameter that names an object is ignored, and a need is dropped if a
 * longer one begins with it.
 */
function withoutRepeats(cells: readonly string[]): string[] {
  const unnamed = [...new Set(cells.map((cell) => cell.replaceAll(/ \{\w+\}/g, "")))];
  return unnamed.filter((cell) => !unnamed.some((other) => other.startsWith(`${cell}; `)));
}
