import { sameInDocument } from "../../value/equality";
import { type Path, valueAt } from "../../value/path";
import type { Inputs } from "../../value/unknown";

/** Values that were sent, and where something in them is marked as secret. */
export interface Marked {
  readonly values: Inputs;
  readonly marks: readonly Path[];
}

/**
 * Where an answer is secret because of the marks in what was sent: at their places, or from the outermost list on the way
 * on, where the secret may stand at any place of that.
 */
export function placesOf(sent: readonly Marked[], answer: Inputs): Path[] {
  return sent.flatMap((one) =>
    one.marks.map((mark) => {
      const list = mark.findIndex((segment) => typeof segment === "number");
      if (list < 0) return mark;
      const whole = mark.slice(0, list);
      const isKept = sent.some(({ values }) =>
        sameInDocument(valueAt(values, whole), valueAt(answer, whole)),
      );
      const isThere = isKept || isInPlace(mark, one, answer);
      return isThere && isNowhereElse(whole, one, sent, answer) ? mark : whole;
    }),
  );
}

/** Whether a secret came back where it was sent, in lists that are as long as they were. */
function isInPlace(mark: Path, { values }: Marked, answer: Inputs): boolean {
  const lists = mark.flatMap((segment, at) => (typeof segment === "number" ? [mark.slice(0, at)] : []));
  const isAsLong = (list: Path) => lengthAt(values, list) === lengthAt(answer, list);
  return lists.every(isAsLong) && sameInDocument(valueAt(values, mark), valueAt(answer, mark));
}

/** Whether no secret of a list shows in what an answer has in that list where nothing is marked. */
function isNowhereElse(
  list: Path,
  { values, marks }: Marked,
  sent: readonly Marked[],
  answer: Inputs,
): boolean {
  const inside = marks.filter((mark) => list.every((segment, at) => mark[at] === segment));
  const secrets = inside.flatMap((mark) => wordsIn(valueAt(values, mark), mark, []));
  const others = wordsIn(
    valueAt(answer, list),
    list,
    sent.flatMap((one) => one.marks),
  );
  return !others.some((text) => secrets.some((secret) => text.includes(secret)));
}

/** Every text, number and truth value in a value, and the names of its members; but for what stands at some paths. */
function wordsIn(value: unknown, path: Path, but: readonly Path[]): string[] {
  if (but.some((one) => one.length === path.length && one.every((segment, at) => segment === path[at])))
    return [];
  if (Array.isArray(value)) return value.flatMap((part, index) => wordsIn(part, [...path, index], but));
  if (typeof value !== "object" || value === null) return value === undefined ? [] : [String(value)];
  return Object.entries(value).flatMap(([name, part]) => [name, ...wordsIn(part, [...path, name], but)]);
}

function lengthAt(values: unknown, list: Path): number | undefined {
  const value = valueAt(values, list);
  return Array.isArray(value) ? value.length : undefined;
}
