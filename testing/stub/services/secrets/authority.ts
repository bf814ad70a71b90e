import type { Capability, Policy, Token } from "./settings";

/**
 * True if a token has a capability at a path (relative to the token's namespace). Among all matching policy paths, the most
 * specific one decides; `deny` there overrides every other capability.
 */
export function allows(
  token: Token,
  policies: ReadonlyMap<string, Policy>,
  path: string,
  wanted: readonly Capability[],
): boolean {
  if (token.policies.includes("root")) return true;
  const matching = token.policies
    .flatMap((name) => Object.entries(policies.get(name) ?? {}))
    .filter(([pattern]) => matches(pattern, path));
  const best = matching.reduce<string | undefined>(
    (chosen, [pattern]) => (chosen === undefined || isMoreSpecific(pattern, chosen) ? pattern : chosen),
    undefined,
  );
  const granted = matching
    .filter(([pattern]) => pattern === best)
    .flatMap(([, capabilities]) => capabilities);
  return !granted.includes("deny") && wanted.some((capability) => granted.includes(capability));
}

function matches(pattern: string, path: string): boolean {
  const isPrefix = pattern.endsWith("*");
  const source = (isPrefix ? pattern.slice(0, -1) : pattern)
    .split("/")
    .map((segment) => (segment === "+" ? "[^/]+" : segment.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
    .join("/");
  return new RegExp(`^${source}${isPrefix ? "" : "$"}`).test(path);
}

/** A pattern without wildcards beats one with wildcards; then the later first wildcard wins, then the longer pattern. */
function isMoreSpecific(left: string, right: string): boolean {
  const [first, second] = [left, right].map(firstWildcard);
  if (first !== second) return (first ?? 0) > (second ?? 0);
  if (left.endsWith("*") !== right.endsWith("*")) return right.endsWith("*");
  return left.length > right.length;
}

function firstWildcard(pattern: string): number {
  const index = pattern.search(/\*$|(?<=^|\/)\+(?=\/|$)/);
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}
