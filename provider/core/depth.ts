import { formatPath, type Path } from "./path";
import type { Problem } from "./rules";

/** How deep a program's documents may be nested. Every walk over them recurses, and stacks end. */
export const DEEPEST = 500;

/**
 * What of a program's inputs is nested too deep, as a value or as JSON text. Nothing here recurses, so that it can be
 * asked before anything else.
 */
export function depthProblems(inputs: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(inputs).flatMap(([name, value]) => {
    const path = typeof value === "string" ? tooDeepInText(value, DEEPEST) : tooDeepIn(value, DEEPEST);
    if (path === undefined) return [];
    const begins = `${formatPath([name, ...path.slice(0, MOST_SEGMENTS)])}…`;
    return [{ path: begins, reason: `is nested deeper than ${DEEPEST} levels` }];
  });
}

/** How much of the way to what is too deep is told. */
const MOST_SEGMENTS = 5;

/** The way to the first value that is nested deeper than this; undefined where none is. */
function tooDeepIn(value: unknown, deepest: number): Path | undefined {
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

/** The same in JSON text, which is not parsed: a parser recurses, too. Other text has no depth. */
export function tooDeepInText(text: string, deepest: number): Path | undefined {
  if (!/^\s*[[{]/.test(text.slice(0, 1000))) return undefined;
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
