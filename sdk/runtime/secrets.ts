import * as pulumi from "@pulumi/pulumi";
import type { ResourceKind } from "./kind";

/**
 * The program's inputs, with every property marked that is always secret.
 * @param protect marks the members of a document with these names
 */
export function withSecrets(
  kind: ResourceKind,
  written: Readonly<Record<string, unknown>>,
  protect: (document: unknown, names: readonly string[]) => unknown,
): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries(written).map(([property, value]) => {
      if (value === undefined || value === null) return [property, value];
      if (kind.secrets.includes(property)) return [property, pulumi.secret(value)];
      const names = kind.secretMembers[property];
      return [property, names === undefined ? value : protect(value, names)];
    }),
  );
}
