/**
 * True if the newest release that a constraint allows can be at least `floor`. "With a constraint the newest matching
 * release is used", so only an upper bound can exclude it.
 */
export function reaches(constraint: string, floor: string): boolean {
  if (constraint === "latest") return true;
  return constraint.split(",").every((part) => {
    const match = /^\s*(=|!=|>=?|<=?|~>)?\s*v?([\d.]+)/.exec(part);
    const operator = match?.[1] ?? "=";
    const version = numbers(match?.[2] ?? "");
    switch (operator) {
      case "=":
      case "<=":
        return compare(version, numbers(floor)) >= 0;
      case "<":
        return compare(version, numbers(floor)) > 0;
      case "~>":
        return compare(pessimisticBound(version), numbers(floor)) > 0;
      default:
        return true;
    }
  });
}

/** `~> 1.2.3` ends below 1.3, `~> 1.2` below 2. */
function pessimisticBound(version: readonly number[]): readonly number[] {
  const kept = version.slice(0, Math.max(1, version.length - 1));
  return [...kept.slice(0, -1), (kept.at(-1) ?? 0) + 1];
}

function numbers(version: string): readonly number[] {
  return version.split(".").map(Number);
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
