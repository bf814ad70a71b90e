/** The end of a quoted text with escapes, behind its closing quote; undefined where it is never closed. */
export function endOfQuoted(text: string, openingQuote: number): number | undefined {
  for (let at = openingQuote + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at += 1;
  }
  return undefined;
}

/** A word of a shell's command, in quotes where it needs them. */
export function shellWord(word: string): string {
  return /^[\w./@:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A path without the slashes at its end, however many there are. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
