/**
 * Paths into values. A segment is a member's name, an element's number, or an element's key: the key of an
 * element of a keyed list starts with {@link KEY} so that it never meets a member of the same name.
 */
export type Path = readonly (string | number)[];

/** Marks a segment as the key of an element of a keyed list. */
export const KEY = "\u0001";

/**
 * A path with `*` for any one segment and a leading `**` for any depth: `TaskGroups.*.Count`, `**.Hash`.
 */
export type Pattern = string;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Writes a path as a reader expects it: `spec.TaskGroups["web"].Count`, `vcsRepo.branch`, `tags[2]`. */
export function formatPath(path: Path): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment}]`;
    else if (segment.startsWith(KEY)) text += `[${JSON.stringify(segment.slice(KEY.length))}]`;
    else if (IDENTIFIER.test(segment)) text += text === "" ? segment : `.${segment}`;
    else text += `[${JSON.stringify(segment)}]`;
  }
  return text;
}

/** Whether a pattern names this path, or with `orInside` a path above it. */
export function matches(pattern: Pattern, path: Path, orInside = false): boolean {
  const parts = pattern.split(".");
  if (parts[0] === "**") {
    const tail = parts.slice(1);
    for (let start = 0; start + tail.length <= path.length; start++) {
      const end = orInside ? path.length : start + tail.length;
      if ((orInside || end === path.length) && fits(tail, path.slice(start))) return true;
    }
    return false;
  }
  if (orInside ? path.length < parts.length : path.length !== parts.length) return false;
  return fits(parts, path);
}

function fits(parts: readonly string[], path: Path): boolean {
  return parts.every((part, index) => part === "*" || part === String(path[index]));
}

/** The first pattern of a table that names this path. */
export function lookUp<T>(table: Readonly<Record<Pattern, T>> | undefined, path: Path): T | undefined {
  for (const pattern in table) if (matches(pattern, path)) return table[pattern];
  return undefined;
}
