/**
 * True if the pattern matches the complete text; `*` matches any text, including none. The time is bounded by both lengths.
 */
export function isLike(pattern: string, text: string): boolean {
  let [at, to] = [0, 0];
  let star = -1;
  let tried = 0;
  while (to < text.length) {
    if (pattern[at] === "*") {
      star = at;
      at += 1;
      tried = to;
    } else if (pattern[at] === text[to]) {
      at += 1;
      to += 1;
    } else if (star >= 0) {
      at = star + 1;
      tried += 1;
      to = tried;
    } else return false;
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
}
