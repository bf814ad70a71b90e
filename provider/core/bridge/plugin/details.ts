import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { Diff, DiffPath } from "../../steps/diff";
import { sameInDocument } from "../../value/equality";
import { equalJson, isObject, type Json } from "../../value/json";
import { formatPath, type Path, valueAt } from "../../value/path";
import type { Inputs } from "../../value/unknown";
import { type Bag, withoutAside } from "../asideProperty";

const { Kind } = PropertyDiff;

const KINDS = {
  add: [Kind.ADD, Kind.ADD_REPLACE],
  update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  delete: [Kind.DELETE, Kind.DELETE_REPLACE],
} as const;

/**
 * What an update would change, by paths into what the program writes, so that a preview shows those and nothing else. The
 * engine takes the values from the inputs: from what they were to what they are.
 */
export function diffAnswer({ changes, deleteFirst }: Diff): DiffResponse {
  const response = new DiffResponse();
  response.setChanges(
    changes.length > 0 ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE,
  );
  // Whatever has a path; a resource that is only to go on has none.
  const paths = changes.filter(({ written }) => written.length > 0);
  response.setDiffsList(namesOf(paths));
  response.setReplacesList(namesOf(paths.filter(({ replaces }) => replaces)));
  response.setDeletebeforereplace(deleteFirst);
  response.setHasdetaileddiff(true);
  const details = response.getDetaileddiffMap();
  for (const path of paths) {
    const key = formatPath(path.written);
    // One place in what is written may stand for several in what is compared: what replaces is said.
    if (details.has(key) && !path.replaces) continue;
    details.set(key, detail(path));
  }
  return response;
}

function detail({ kind, replaces }: DiffPath): PropertyDiff {
  const [plain, replacing] = KINDS[kind];
  const diff = new PropertyDiff();
  diff.setKind(replaces ? replacing : plain);
  diff.setInputdiff(true);
  return diff;
}

/** The properties that paths lead into. */
function namesOf(paths: readonly DiffPath[]): string[] {
  return [...new Set(paths.map(({ written: [name] }) => String(name)))];
}

/**
 * Whether a check is one of what was just found by its id: an engine that imports checks what it read against itself. What
 * the service never shows, or what is not printed, is then not there yet, and no failure.
 */
export function isAsRead(olds: Bag, news: Bag): boolean {
  // JSON and marks' values are all that is left of a message.
  const [before, now] = [olds, news].map((bag) => withoutAside(bag) as { [name: string]: Json });
  return Object.keys(olds).length > 0 && equalJson(before, now);
}

/**
 * The texts that the CLI's generator for TypeScript damages in the program that an import prints: as template literals, without
 * each `$` that no `{` follows (seen at CLI 3.260).
 */
export function damagedTexts(value: Json, path: Path = []): string[] {
  if (typeof value === "string") return isDamaged(value) ? [formatPath(path)] : [];
  if (Array.isArray(value)) return value.flatMap((element, index) => damagedTexts(element, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => damagedTexts(member, [...path, name]));
}

/** A text with one line break, at an end, is printed between quotes. */
function isDamaged(text: string): boolean {
  const breaks = text.split("\n").length - 1;
  const isTemplate = breaks > 1 || (breaks === 1 && !text.startsWith("\n") && !text.endsWith("\n"));
  return isTemplate && /\$(?!\{)/.test(text);
}

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
