import { isObject } from "../value/json";
import type { Value } from "../value/unknown";

/** Matches the elements of two lists, by their indexes in each. */
export interface Alignment {
  /** Pairs in the same order in both lists: equal elements, or elements similar enough to be one changed element. */
  readonly pairs: readonly Pair[];
  /** Equal elements at a different place among the others. */
  readonly relocated: readonly Pair[];
  /** Elements that only the first list contains, and those that only the second contains. */
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

export type Pair = readonly [from: number, to: number];

/** The maximum number of element pairs to compare between two certain matches. Above it, only the order counts. */
const MOST_COMPARED = 10_000;

/** The minimum similarity of two elements that count as one changed element. */
const ALIKE = 1 / 3;

/**
 * Aligns two lists without keys by the content of their elements. An element that appears once in each list is a certain
 * match. Between certain matches, the alignment chooses the pairs, in order, that share the most content.
 */
export function align(from: readonly Value[], to: readonly Value[]): Alignment {
  const lists = { from: from.map(elementOf), to: to.map(elementOf) };
  const pairs = betweenAnchors(lists, anchorsIn(lists));
  const [paired, partners] = [new Set(pairs.map(([one]) => one)), new Set(pairs.map(([, other]) => other))];
  const added = new Set(lists.to.flatMap((_, index) => (partners.has(index) ? [] : [index])));
  const relocated: Pair[] = [];
  const removed: number[] = [];
  for (const [index, { text }] of lists.from.entries()) {
    if (paired.has(index)) continue;
    const there = [...added].find((other) => lists.to[other]?.text === text);
    if (there === undefined) removed.push(index);
    else {
      relocated.push([index, there]);
      added.delete(there);
    }
  }
  return { pairs, relocated, removed, added: [...added] };
}

/** An element by its text and its content: one string for each leaf, with its path. */
interface Element {
  readonly text: string;
  readonly leaves: ReadonlySet<string>;
  readonly isPlain: boolean;
}

interface Lists {
  readonly from: readonly Element[];
  readonly to: readonly Element[];
}

function elementOf(value: Value): Element {
  const leaves = leavesIn(value, "");
  return { text: [...leaves].sort().join("\n"), leaves: new Set(leaves), isPlain: typeof value !== "object" };
}

function leavesIn(value: Value, path: string): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((element, index) => leavesIn(element, `${path}/${index}`));
  const members = isObject(value) ? Object.entries<Value>(value) : [];
  if (members.length > 0)
    return members.flatMap(([name, member]) => leavesIn(member, `${path}/${JSON.stringify(name)}`));
  const text = typeof value === "symbol" || typeof value === "bigint" ? String(value) : JSON.stringify(value);
  return [`${path}=${text}`];
}

/**
 * The certain matches: equal elements at both ends, and elements that appear once in each list, as far as they keep their
 * order.
 */
function anchorsIn({ from, to }: Lists): Pair[] {
  const shorter = Math.min(from.length, to.length);
  const isSame = (one: number, other: number) => from[one]?.text === to[other]?.text;
  let head = 0;
  while (head < shorter && isSame(head, head)) head += 1;
  let tail = 0;
  while (tail < shorter - head && isSame(from.length - 1 - tail, to.length - 1 - tail)) tail += 1;
  const [ones, others] = [onceIn(from, head, tail), onceIn(to, head, tail)];
  const unique = [...ones].flatMap(([text, index]): Pair[] => {
    const other = others.get(text);
    return other === undefined ? [] : [[index, other]];
  });
  return [
    ...Array.from({ length: head }, (_, index): Pair => [index, index]),
    ...longestRise(unique),
    ...Array.from(
      { length: tail },
      (_, index): Pair => [from.length - tail + index, to.length - tail + index],
    ),
  ];
}

/** The indexes of the texts that appear once between head and tail. */
function onceIn(elements: readonly Element[], head: number, tail: number): Map<string, number> {
  const counts = new Map<string, number>();
  const inner = elements.slice(head, elements.length - tail);
  for (const { text } of inner) counts.set(text, (counts.get(text) ?? 0) + 1);
  return new Map(
    inner.flatMap(({ text }, index) => (counts.get(text) === 1 ? [[text, head + index] as const] : [])),
  );
}

/** The largest subset of these pairs, ordered by the first list, that is also in order in the second. */
function longestRise(pairs: readonly Pair[]): Pair[] {
  interface Chain {
    readonly pair: Pair;
    readonly before: Chain | undefined;
  }
  // For each length, the chain with the lowest end.
  const ends: Chain[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.pair[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    ends[low] = { pair, before: ends[low - 1] };
  }
  const rise: Pair[] = [];
  for (let chain = ends.at(-1); chain !== undefined; chain = chain.before) rise.unshift(chain.pair);
  return rise;
}

function betweenAnchors(lists: Lists, anchors: readonly Pair[]): Pair[] {
  const pairs: Pair[] = [];
  let [from, to] = [0, 0];
  for (const [one, other] of [...anchors, [lists.from.length, lists.to.length] as const]) {
    const gap = { from: lists.from.slice(from, one), to: lists.to.slice(to, other) };
    for (const [a, b] of mostAlike(gap)) pairs.push([from + a, to + b]);
    if (one < lists.from.length) pairs.push([one, other]);
    [from, to] = [one + 1, other + 1];
  }
  return pairs;
}

/**
 * The pairs, in order in both lists, that share the most content. Plain values pair by position if both lists have the same
 * length.
 */
function mostAlike({ from, to }: Lists): Pair[] {
  if (from.length * to.length === 0) return [];
  const isPlain = [...from, ...to].every((element) => element.isPlain);
  if (from.length * to.length > MOST_COMPARED || (isPlain && from.length === to.length))
    return from.slice(0, to.length).map((_, index): Pair => [index, index]);
  const likeness = from.map((one) => to.map((other) => alike(one, other)));
  const best = sums(likeness);
  const pairs: Pair[] = [];
  let [one, other] = [0, 0];
  while (one < from.length && other < to.length) {
    const here = best[one]?.[other] ?? 0;
    if (here === (best[one + 1]?.[other] ?? 0)) one += 1;
    else if (here === (best[one]?.[other + 1] ?? 0)) other += 1;
    else {
      pairs.push([one, other]);
      one += 1;
      other += 1;
    }
  }
  return pairs;
}

/** The maximum total similarity of pairs from each position onwards. */
function sums(likeness: readonly (readonly number[])[]): number[][] {
  const width = likeness[0]?.length ?? 0;
  const best: number[][] = [...likeness, []].map(() => new Array<number>(width + 1).fill(0));
  for (let one = likeness.length - 1; one >= 0; one--) {
    for (let other = width - 1; other >= 0; other--) {
      const paired = (likeness[one]?.[other] ?? 0) + (best[one + 1]?.[other + 1] ?? 0);
      const row = best[one];
      if (row) row[other] = Math.max(paired, best[one + 1]?.[other] ?? 0, row[other + 1] ?? 0);
    }
  }
  return best;
}

/** The similarity of two elements: the mean of the shares of each that the other contains too. 0 below {@link ALIKE}. */
function alike(one: Element, other: Element): number {
  if (one.text === other.text) return 1;
  const [few, many] =
    one.leaves.size < other.leaves.size ? [one.leaves, other.leaves] : [other.leaves, one.leaves];
  let shared = 0;
  for (const leaf of few) if (many.has(leaf)) shared += 1;
  const share = (shared / few.size + shared / many.size) / 2;
  return share < ALIKE ? 0 : share;
}
