import type { Path } from "./path";
import { scanJson } from "./scan";

/** How many segments of a too deep path a message shows. */
export const MOST_SEGMENTS = 5;

/** The path to the first value that is nested deeper than the limit; undefined if no value is. */
export function tooDeepIn(value: unknown, deepest: number): Path | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const path: (string | number)[] = [];
  const open = [membersOf(value)];
  for (let members = open.at(-1); members !== undefined; members = open.at(-1)) {
    const next = members.next();
    if (next.done) {
      open.pop();
      path.pop();
      continue;
    }
    const [segment, member] = next.value;
    if (typeof member !== "object" || member === null) continue;
    path.push(segment);
    if (open.length === deepest) return path;
    open.push(membersOf(member));
  }
  return undefined;
}

function membersOf(value: object): Iterator<[string | number, unknown]> {
  return Array.isArray(value) ? value.entries() : Object.entries(value)[Symbol.iterator]();
}

/** The same for JSON text, without parsing it, because a parser recurses too. Other text has no depth. */
export function tooDeepInText(text: string, deepest: number): Path | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 1000)) || !scanJson(text, deepest).isTooDeep) return undefined;
  const open: { segment: string | number }[] = [];
  let name: readonly [from: number, to: number] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const inside = open.at(-1);
    switch (text[at]) {
      case '"': {
        const from = at + 1;
        for (at = from; at < text.length && text[at] !== '"'; at += 1) if (text[at] === "\\") at += 1;
        name = [from, at];
        break;
      }
      case ":":
        if (inside !== undefined) inside.segment = text.slice(...name);
        break;
      case ",":
        if (typeof inside?.segment === "number") inside.segment += 1;
        break;
      case "{":
      case "[":
        if (open.length === deepest) return open.map(({ segment }) => segment);
        open.push({ segment: text[at] === "[" ? 0 : "" });
        break;
      case "}":
      case "]":
        open.pop();
        break;
    }
  }
  return undefined;
}
