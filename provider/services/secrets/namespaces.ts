import { z } from "zod";
import { type Address, field, type Settings, withoutTrailing } from "../../core";

/** An ID template with an optional part for the namespace. */
export const inNamespace = <T extends string>(template: T) => `[{namespace}@]${template}` as const;

/** The input for the namespace of an object or a query. */
export const namespaceField = field(
  z
    .string()
    .regex(
      /^[^/]+(\/[^/]+)*$/,
      "must be a path without a leading or trailing slash, such as teams or teams/web",
    )
    .refine((path) => path !== "root", "must not be root; omit the property for the connection's namespace")
    .optional(),
  {
    doc: "The namespace in Vault (Enterprise) or OpenBao (2.3 or later), relative to the connection's namespace.",
    toWrite: "Default: the connection's namespace.",
    role: "identity",
    location: "address",
  },
);

/** The namespace of a request. An object's namespace is relative to the connection's. */
export function namespaceOf(settings: Settings, { namespace }: Address): string | undefined {
  const own = typeof settings.namespace === "string" ? settings.namespace : undefined;
  if (namespace === undefined) return own;
  const outer = own === undefined ? "" : withoutSlashes(own);
  return outer === "" || outer === "root" ? namespace : `${outer}/${namespace}`;
}

/** A namespace's path without slashes at its ends. */
export function withoutSlashes(path: string): string {
  return withoutTrailing(path, "/").replace(/^\/+/, "");
}
