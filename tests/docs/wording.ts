/** A way of writing that readers have to translate: its name, and the pattern that finds it in a sentence. */
export interface Marker {
  readonly name: string;
  readonly pattern: RegExp;
}

/** The ways of writing that the documentation avoids. Each pattern is a proxy: a match is a reason to look at a sentence. */
export const MARKERS: readonly Marker[] = [
  { name: "what or who without a noun", pattern: /\b(?:what(?:ever)?|who(?:ever|m)?|whichever)\b/i },
  {
    name: "preposition and relative pronoun",
    pattern: /\b(?:after|against|at|by|for|from|in|of|on(?:to)?|to|under|with) (?:which|whom|whose|what)\b/i,
  },
  {
    name: "a program that tells or says",
    pattern: /\b(?:tell(?:s|ing)?|told|says? (?:so|it|how|where|when|why|which))\b/i,
  },
  { name: "where instead of if", pattern: /(?:^|[,;:] |\b(?:and|but|or) )where (?!to\b)/i },
  {
    name: "no with a noun instead of not",
    pattern:
      /\b(?:is|are|was|be|count as|counts as) (?:none\b|no (?:drift|changes?|conflict|part|proof|object|input|error|news)\b)|\bthere (?:is|are) none\b/i,
  },
  {
    name: "pronoun without a noun",
    pattern:
      /\b(?:another one|either one|the one (?:of|that)|none of (?:it|them|that)|of (?:theirs|ours|yours)|others (?:add|change|changed|do|made))\b/i,
  },
  {
    name: "spatial verb in a figurative sense",
    pattern:
      /\b(?:stands?|stood|lies|goes (?:along|by|on|to)|comes (?:about|to)|hands? (?:it )?(?:on|out|over)|brought about|gone)\b/i,
  },
  {
    name: "old adverb",
    pattern:
      /\b(?:anew|as ever|all the same|likewise|besides?|but for|by itself|by themselves|in place of|no more|any more|lest|shall|upon|unasked|unseen|wholly)\b/i,
  },
  {
    name: "fronted object",
    pattern:
      /^(?:Of|Nor|Neither|What|Who|Whoever|That)\b[^,.]{0,60}\b(?:is|are|has|have|does|do|goes|no|nothing)\b/,
  },
  { name: "whether instead of a verb", pattern: /^Whether\b/ },
];

/** More words than this in one sentence are too many. */
export const MOST_WORDS = 30;

/** A sentence with the names of its markers. */
export interface MarkedSentence {
  readonly text: string;
  readonly markers: readonly string[];
}

/** The sentences of a Markdown page: prose, list items, quotes and table cells, without code blocks and headings. */
export function sentencesOf(page: string): string[] {
  const prose = page.replaceAll(/<!--[\s\S]*?-->/g, "").replaceAll(/^(?:> )?```[\s\S]*?^(?:> )?```/gm, "");
  return prose
    .split(/\n{2,}|\n(?=\s*(?:[-*]|\d+\.) |[|#>])/)
    .map((block) => block.trim())
    .filter((block) => block !== "" && !/^#|^\|[\s:|-]+$/.test(block))
    .flatMap((block) => (block.startsWith("|") ? block.split(/(?<!\\)\|/) : [block]))
    .map(plain)
    .flatMap((text) => text.split(/(?<=[.!?:;])\s+(?=[A-Z"`(])/))
    .filter((sentence) => wordsIn(sentence) >= 5);
}

/** The text of a block without its mark, links, emphasis and line breaks. */
function plain(block: string): string {
  return block
    .replace(/^(?:[-*>]|\d+\.) (?:\[![A-Z]+\])?/, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll("**", "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The number of words. Code counts as one word. */
export function wordsIn(sentence: string): number {
  return sentence.replaceAll(/`[^`]*`/g, "code").match(/[A-Za-z][\w'’-]*/g)?.length ?? 0;
}

/** The sentences of a page with at least one marker. */
export function markedIn(page: string): MarkedSentence[] {
  return sentencesOf(page).flatMap((text) => {
    // Names in code are not prose.
    const prose = text.replaceAll(/`[^`]*`/g, "`x`");
    const markers = MARKERS.filter(({ pattern }) => pattern.test(prose)).map(({ name }) => name);
    return markers.length === 0 ? [] : [{ text, markers }];
  });
}
