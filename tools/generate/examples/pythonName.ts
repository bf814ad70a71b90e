/**
 * The name in Python SDKs, as Pulumi's generator converts it: `memoryMB` becomes `memory_mb`. Digits and a plural `s` belong
 * to the preceding capitals.
 */
export function pythonName(name: string): string {
  const words = name.replace(/\W/g, "_").match(WORD);
  const joined = (words ?? [name]).join("_").toLowerCase();
  return KEYWORDS.has(joined) ? `${joined}_` : joined;
}

const WORD = /[A-Z]{2,}[s\d][a-z\d_]*|[A-Z]+(?=[A-Z][a-z])|[A-Z]{2,}(?![a-z])|[A-Z][a-z\d_]*|[a-z\d_]+/g;

const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
