/** A text in three parts: the common beginning, the difference and the common end. */
export type SplitText = readonly [before: string, differing: string, after: string];

/** Splits two texts at their common beginning and end; never inside a character. */
export function differing(one: string, other: string): readonly [SplitText, SplitText] {
  const [own, theirs] = [[...one], [...other]];
  const most = Math.min(own.length, theirs.length);
  let before = 0;
  while (before < most && own[before] === theirs[before]) before += 1;
  let after = 0;
  while (after < most - before && own[own.length - 1 - after] === theirs[theirs.length - 1 - after])
    after += 1;
  const partsOf = (signs: readonly string[]): SplitText => [
    signs.slice(0, before).join(""),
    signs.slice(before, signs.length - after).join(""),
    signs.slice(signs.length - after).join(""),
  ];
  return [partsOf(own), partsOf(theirs)];
}
