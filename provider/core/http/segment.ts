/**
 * Why a name can be no segment of a path, as "what it must not be, and why"; undefined where it can. Clients and servers
 * drop "", "." and ".." from a path however they are encoded.
 */
export function whyNoSegment(name: string): string | undefined {
  if (name === "") return "must not be empty: it stands in a path";
  if (!name.isWellFormed()) return "must not hold half of a surrogate pair: that is no character";
  return isDots(name) ? `must not be ${JSON.stringify(name)}: in a path it would lead elsewhere` : undefined;
}

/**
 * The same for a name that people write, of what is made or asked for. Servers clean a path once they have decoded it, so that
 * encoded slashes count too; and they refuse one that holds what cannot be printed.
 */
export function whyNoName(name: string): string | undefined {
  const parts = name.split("/");
  const [unprintable] = UNPRINTABLE.exec(name) ?? [];
  const why = whyNoSegment(name);
  if (why !== undefined) return why;
  if (parts.some(isDots))
    return 'must not hold "." or ".." between slashes: in a path they would lead elsewhere';
  if (parts.slice(0, -1).includes(""))
    return "must neither begin with a slash nor hold two in a row: servers drop them from a path";
  return unprintable === undefined
    ? undefined
    : `must not hold ${codePoint(unprintable)}, which cannot be printed: servers refuse it in a path`;
}

function isDots(part: string): boolean {
  return part === "." || part === "..";
}

/** Everything but letters, marks, numbers, punctuation, symbols and the plain space. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** `U+200B`. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
