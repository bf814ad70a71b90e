/** Joins several errors into one message, as Nomad does; nested lists use the same format. */
export function errorsText(errors: readonly string[]): string {
  const head = errors.length === 1 ? "1 error occurred:" : `${errors.length} errors occurred:`;
  return `${head}\n${errors.map((error) => `\t* ${error}\n`).join("")}\n`;
}

/** Wraps the errors of a part as one error of its parent. */
export function nestErrors(prefix: string, errors: readonly string[]): readonly string[] {
  return errors.length === 0 ? [] : [`${prefix}: ${errorsText(errors)}`];
}

/** The messages of the broken rules. */
export function messagesOfBroken(
  rules: readonly (readonly [isBroken: boolean, message: string])[],
): readonly string[] {
  return rules.flatMap(([isBroken, message]) => (isBroken ? [message] : []));
}

/** Go's format of a duration: `1m30s`, `500ms`, `0s`. */
export function durationText(nanoseconds: number): string {
  if (nanoseconds === 0) return "0s";
  const sign = nanoseconds < 0 ? "-" : "";
  const left = Math.abs(nanoseconds);
  if (left < 1_000) return `${sign}${left}ns`;
  if (left < 1_000_000) return `${sign}${left / 1_000}µs`;
  if (left < 1_000_000_000) return `${sign}${left / 1_000_000}ms`;
  const hours = Math.floor(left / 3_600_000_000_000);
  const minutes = Math.floor((left % 3_600_000_000_000) / 60_000_000_000);
  const seconds = (left % 60_000_000_000) / 1_000_000_000;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}s` : `${sign}${seconds}s`;
}

/** The names that occur a second time, with the 1-based positions of both. */
export function repeatedNames(
  names: readonly string[],
): readonly { readonly name: string; readonly at: number; readonly first: number }[] {
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    return name !== "" && first < index ? [{ name, at: index + 1, first: first + 1 }] : [];
  });
}
