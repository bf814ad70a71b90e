import type { Specified } from "../../provider/core/language/fields";
import type { Service, Site } from "../../provider/core/language/service";

/** The default mounts of Vault's secrets engines, by the parameter of the specification's endpoints. */
const MOUNTS: Readonly<Record<string, string>> = {
  "{mq_mount}": "rabbitmq",
  "{cloud_mount}": "aws",
  "{ldap_mount}": "ldap",
};

/** One segment of a path as the product's servers have it. */
export function productSegment({ dialects }: Service, segment: string): string {
  return MOUNTS[segment] ?? dialects.real?.segments?.[segment] ?? segment;
}

/** The default mount of a resource's secrets engine; undefined for a resource without a mount. */
export function defaultMountOf({ service, where }: Specified): string | undefined {
  const dialect = service.dialects.real;
  // The default of a mount depends only on the settings and the dialect.
  return dialect && where?.defaults?.mount?.valueFor({ settings: {}, dialect } as Site);
}

/** A path as the product's servers have it: with their segments, and with the default mount of a secrets engine. */
export function productPath(definition: Specified, path: string): string {
  const mount = defaultMountOf(definition);
  const mounted = mount === undefined ? path : path.replaceAll(/\{\+?mount\}/g, mount);
  return mounted
    .replaceAll("{+", "{")
    .split("/")
    .map((segment) => productSegment(definition.service, segment))
    .join("/");
}

/** A text that contains paths, with the paths as the product's servers have them. */
export function productText(definition: Specified, text: string): string {
  return text.replaceAll(/[\w{}+-]+(?:\/[\w{}+-]+)+/g, (path) => productPath(definition, path));
}
