import * as pulumi from "@pulumi/pulumi";

/**
 * The paths at which a program marked a value secret, as `vcsRepo.branch` or `tags[2]`; undefined where it marked
 * none, so that plain programs carry nothing. Whether a value is secret is known before the value is, so a promise
 * of the paths stays known in a preview. A value that fails is told by its own property, not here.
 */
export async function secretPaths(args: object): Promise<readonly string[] | undefined> {
  const paths = await pathsIn(args, []);
  return paths.length === 0 ? undefined : paths;
}

type Path = readonly (string | number)[];

async function pathsIn(value: unknown, path: Path): Promise<string[]> {
  if (pulumi.Output.isInstance(value)) {
    // An output's secrecy is that of everything in it.
    const isSecret = await pulumi.isSecret(value).catch(() => false);
    return isSecret ? [formatPath(path)] : [];
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

/** Writes a path as the provider reads it. */
export function formatPath(path: Path): string {
  return path
    .map((segment, index) => {
      if (typeof segment === "number") return `[${segment}]`;
      if (!IDENTIFIER.test(segment)) return `[${JSON.stringify(segment)}]`;
      return index === 0 ? segment : `.${segment}`;
    })
    .join("");
}
