/** How much of what two texts share is shown before the place where they differ. */
const BEFORE = 20;

/** A text that is too long to be shown, cut around the place where it begins to differ from another. */
export function excerpt(text: string, other: string | undefined, longest: number): string {
  if (text.length <= longest) return text;
  const differs = other === undefined || other === text ? 0 : sharedStart(text, other);
  const last = text.length - (longest - 1);
  const start = Math.min(Math.max(differs - BEFORE, 0), last);
  if (start === 0) return `${whole(text, 0, longest - 1)}…`;
  if (start === last) return `…${whole(text, start, text.length)}`;
  return `…${whole(text, start, start + longest - 2)}…`;
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** A part of a text that begins and ends with whole characters. */
function whole(text: string, from: number, to: number): string {
  const isSecondHalf = (at: number) => /[\uDC00-\uDFFF]/.test(text[at] ?? "");
  return text.slice(isSecondHalf(from) ? from + 1 : from, isSecondHalf(to) ? to - 1 : to);
}
