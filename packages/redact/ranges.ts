import { isDropped, type TextView } from "./view";

/** A part of the raw text. */
export type Range = readonly [start: number, end: number];

/** Collects ranges, which mostly are in order and overlap. A range that starts within the last range extends it. */
export class Ranges {
  readonly all: Range[] = [];

  add(start: number, end: number): void {
    const last = this.all.length - 1;
    const [from, to] = this.all[last] ?? [0, -1];
    if (start >= from && start <= to) this.all[last] = [from, Math.max(to, end)];
    else this.all.push([start, end]);
  }
}

/** The parts of the raw text behind a view. */
export function placesBehind({ length, starts, ends }: TextView): Range[] {
  const ranges = new Ranges();
  for (let at = 0; at < length; at += 1) ranges.add(starts[at] ?? 0, ends[at] ?? 0);
  return ranges.all;
}

/** Sorts ranges and merges those that touch. With a text, also merges ranges that only ignored characters separate. */
export function mergeRanges(ranges: readonly Range[], text = ""): Range[] {
  const sorted = [...ranges].sort(([a, aEnd], [b, bEnd]) => a - b || bEnd - aEnd);
  const whole: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = whole.at(-1);
    if (last !== undefined && isNothingBetween(text, last[1], start)) last[1] = Math.max(last[1], end);
    else whole.push([start, end]);
  }
  return whole;
}

function isNothingBetween(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (!isDropped(text.charCodeAt(at))) return false;
  return true;
}

/** The ranges that are not completely inside an occurrence of one of these texts in the raw text. */
export function outside(ranges: readonly Range[], spared: Iterable<string>, text: string): readonly Range[] {
  if (ranges.length === 0) return ranges;
  const sparedRanges = mergeRanges([...spared].flatMap((own) => occurrencesOf(own, text)));
  if (sparedRanges.length === 0) return ranges;
  let next = 0;
  return mergeRanges(ranges).filter(([start, end]) => {
    while ((sparedRanges[next]?.[1] ?? Number.POSITIVE_INFINITY) < end) next += 1;
    const [from, to] = sparedRanges[next] ?? [Number.POSITIVE_INFINITY, 0];
    return start < from || end > to;
  });
}

/** The occurrences of a text in another text. */
export function occurrencesOf(own: string, text: string): Range[] {
  const places: Range[] = [];
  if (own === "") return places;
  for (let at = text.indexOf(own); at >= 0; at = text.indexOf(own, at + own.length)) {
    places.push([at, at + own.length]);
  }
  return places;
}

/** The text with these ranges replaced. The ranges are sorted and do not touch. */
export function replaceRanges(text: string, ranges: readonly Range[], by: string): string {
  let result = "";
  let at = 0;
  for (const [start, end] of ranges) {
    result += text.slice(at, start) + by;
    at = end;
  }
  return result + text.slice(at);
}
