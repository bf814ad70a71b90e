import * as pulumi from "@pulumi/pulumi";

/**
 * The paths of values that the program marked secret, such as `vcsRepo.branch` or `tags[2]`. Undefined if there are none, so
 * that such programs send no metadata. The secrecy of a value is known before the value itself, so a promise of the paths
 * stays known in a preview. A failed value is reported by its own property, not here.
 */
export async function secretPaths(args: object): Promise<readonly string[] | undefined> {
  const paths = await pathsIn(args, []);
  return paths.length === 0 ? undefined : paths;
}

type Path = readonly (string | number)[];

async function pathsIn(value: unknown, path: Path): Promise<string[]> {
  if (pulumi.Output.isInstance(value)) {
    // An output is secret if any part of it is secret.
    const isSecret = await pulumi.isSecret(value).catch(() => false);
    return isSecret ? [formatSecretPath(path)] : [];
  }
  if (value instanceof Promise) return pathsIn(await value.catch(() => undefined), path);
  const parts = Array.isArray(value) ? value.map((part, index) => [index, part] as const) : membersOf(value);
  const found = await Promise.all(parts.map(([segment, part]) => pathsIn(part, [...path, segment])));
  return found.flat();
}

function membersOf(value: unknown): (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null || pulumi.Resource.isInstance(value)) return [];
  return Object.entries(value);
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Formats a path for the provider. */
export function formatSecretPath(path: Path): string {
  return path
    .map((segment, index) => {
      if (typeof segment === "number") return `[${segment}]`;
      if (!IDENTIFIER.test(segment)) return `[${JSON.stringify(segment)}]`;
      return index === 0 ? segment : `.${segment}`;
    })
    .join("");
}
