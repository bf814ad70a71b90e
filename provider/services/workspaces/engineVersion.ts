/**
 * True if the newest release that this version or constraint allows can be at least `least` (specification: Workspace,
 * `engine-version`: with a constraint the newest matching release is used). An unreadable constraint counts as true.
 */
export function reaches(versions: string, least: readonly number[]): boolean {
  return versions.split(",").every((part) => {
    const [, operator = "=", numbers = ""] = CLAUSE.exec(part.trim()) ?? [];
    const version = numbers.split(".").map(Number);
    if (numbers === "") return true;
    if (operator === "=" || operator === "<=") return order(version, least) >= 0;
    if (operator === "<") return order(version, least) > 0;
    return operator !== "~>" || order(firstBeyond(version), least) > 0;
  });
}

const CLAUSE = /^(=|!=|>=?|<=?|~>)?\s*v?(\d+(?:\.\d+)*)/;

/** `~> 1.2.3` allows versions before 1.3, `~> 1.2` allows versions before 2. */
function firstBeyond(version: readonly number[]): readonly number[] {
  const prefix = version.slice(0, Math.max(1, version.length - 1));
  return prefix.map((part, index) => (index === prefix.length - 1 ? part + 1 : part));
}

/** Negative, 0 or positive, as for sorting. A missing part is 0. */
function order(left: readonly number[], right: readonly number[]): number {
  const differing = left.findIndex((part, index) => part !== (right[index] ?? 0));
  if (differing >= 0) return (left[differing] ?? 0) - (right[differing] ?? 0);
  return right.slice(left.length).some((part) => part > 0) ? -1 : 0;
}
