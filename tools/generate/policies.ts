import type { Service } from "../../provider/core/language/service";
import type { NeededByRequest } from "./neededByRequest";
import { productSegment } from "./productPaths";

/**
 * A policy in the product's own language that grants all permissions for some requests; undefined if the product has no such
 * language.
 */
export function policyOf(service: Service, rows: readonly NeededByRequest[]): string | undefined {
  const known = rows.flatMap(({ path, needs }) =>
    needs === undefined ? [] : needs.map((needed) => ({ path, ...needed })),
  );
  if (known.length === 0) return undefined;
  return WRITERS[service.name]?.(known, service);
}

type Known = NonNullable<NeededByRequest["needs"]>[number] & { readonly path: string };
type Writer = (needed: readonly Known[], service: Service) => string;

const quoted = (words: Iterable<string>) => [...words].map((word) => JSON.stringify(word)).join(", ");

/** A Nomad namespace rule. Permissions that are needed only in some cases become comments. */
const scheduler: Writer = (needed) => {
  const permissions = (all: readonly Known[]) =>
    new Set(all.map(({ anyOf }) => anyOf[0].replace("namespace:", "")));
  const always = permissions(needed.filter(({ when }) => when === undefined));
  const sometimes = needed.filter(({ when, anyOf }) => when !== undefined && !always.has(anyOf[0]));
  return [
    'namespace "default" {',
    `  capabilities = [${quoted(always)}]`,
    ...[
      ...new Set(sometimes.map(({ anyOf, when }) => `  # "${anyOf[0].replace("namespace:", "")}" ${when}`)),
    ],
    "}",
  ].join("\n");
};

/** Vault paths, with the default mounts and wildcards for names. A path that needs one of two permissions gets both. */
const secrets: Writer = (needed, service) => {
  const byPath = new Map<string, Set<string>>();
  for (const { path, anyOf } of needed) {
    const own = path
      .slice(1)
      .split("/")
      .map((part) => productSegment(service, part))
      .map((part) => (part.startsWith("{") ? "+" : part))
      .join("/");
    const capabilities = byPath.get(own) ?? new Set();
    for (const right of anyOf) capabilities.add(right);
    byPath.set(own, capabilities);
  }
  return [...byPath]
    .map(
      ([path, permissions]) =>
        `path ${JSON.stringify(path)} {\n  capabilities = [${quoted([...permissions].sort())}]\n}`,
    )
    .join("\n");
};

/** Consul rules by resource; write access includes read access. */
const mesh: Writer = (needed) => {
  const levels = new Map<string, string>();
  for (const { anyOf, on } of needed) {
    const [resource = "", level = ""] = anyOf[0].split(":");
    const name = on.startsWith("each other") ? "service_prefix" : resource;
    if (levels.get(name) !== "write") levels.set(name, level);
  }
  const blocks = [...levels].map(([resource, level]) => {
    if (resource === "service_prefix") return `service_prefix "" {\n  policy = "${level}"\n}`;
    if (resource === "service") return `service "NAME" {\n  policy = "${level}"\n}`;
    if (resource === "intentions") return `service "NAME" {\n  policy = "read"\n  intentions = "${level}"\n}`;
    return `${resource} = "${level}"`;
  });
  return blocks.join("\n");
};

const WRITERS: Readonly<Record<string, Writer>> = { scheduler, secrets, mesh };
