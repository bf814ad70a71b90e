import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { Diff, DiffPath } from "../../operations/diff";
import { equalJson, isObject, type Json } from "../../value/json";
import { formatPath, type Path, valueAt } from "../../value/path";
import { sameInDocument } from "../../value/scalar";
import type { Inputs } from "../../value/unknown";
import { type Bag, withoutAside } from "../engineValues";

const { Kind } = PropertyDiff;

const KINDS = {
  add: [Kind.ADD, Kind.ADD_REPLACE],
  update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  delete: [Kind.DELETE, Kind.DELETE_REPLACE],
} as const;

/**
 * The changes of an update, by paths in the program's inputs, so that a preview shows only these. The engine takes the old
 * and new values from the inputs.
 */
export function diffAnswer({ changes, deleteFirst }: Diff): DiffResponse {
  const response = new DiffResponse();
  response.setChanges(
    changes.length > 0 ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE,
  );
  // Only changes with a path. A resource that only continues has no path.
  const paths = changes.filter(({ written }) => written.length > 0);
  response.setDiffsList(namesOf(paths));
  response.setReplacesList(namesOf(paths.filter(({ replaces }) => replaces)));
  response.setDeletebeforereplace(deleteFirst);
  response.setHasdetaileddiff(true);
  const details = response.getDetaileddiffMap();
  for (const path of paths) {
    const key = formatPath(path.written);
    // Several compared paths may correspond to one written path. A change that replaces takes precedence.
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

/** The properties that contain these paths. */
function namesOf(paths: readonly DiffPath[]): string[] {
  return [...new Set(paths.map(({ written: [name] }) => String(name)))];
}

/**
 * True if a check verifies an object that was just read by its ID. An engine that imports checks the inputs of the read
 * against themselves. Values that the server never shows, or that are not printed, are then missing, which is not a failure.
 */
export function isAsRead(olds: Bag, news: Bag): boolean {
  // Without the additional data, the message contains only JSON and the values of marks.
  const [before, now] = [olds, news].map((bag) => withoutAside(bag) as { [name: string]: Json });
  return Object.keys(olds).length > 0 && equalJson(before, now);
}

/**
 * The strings that the CLI's TypeScript generator damages in the program that an import prints. It prints template literals
 * without any `$` that no `{` follows (seen in CLI 3.260).
 */
export function damagedTexts(value: Json, path: Path = []): string[] {
  if (typeof value === "string") return isDamaged(value) ? [formatPath(path)] : [];
  if (Array.isArray(value)) return value.flatMap((element, index) => damagedTexts(element, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => damagedTexts(member, [...path, name]));
}

/** A text with a single line break, at its start or end, is printed between quotes. */
function isDamaged(text: string): boolean {
  const breaks = text.split("\n").length - 1;
  const isTemplate = breaks > 1 || (breaks === 1 && !text.startsWith("\n") && !text.endsWith("\n"));
  return isTemplate && /\$(?!\{)/.test(text);
}

/** Values that were sent, and the paths of secret marks in them. */
export interface Marked {
  readonly values: Inputs;
  readonly marks: readonly Path[];
}

/**
 * The secret paths of a response, according to the marks in the sent values. A mark below a list applies to its own path, or
 * to the outermost list if the secret may now be anywhere in that list.
 */
export function secretPathsIn(sent: readonly Marked[], answer: Inputs): Path[] {
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

/** True if a secret came back at its original path, in lists of unchanged length. */
function isInPlace(mark: Path, { values }: Marked, answer: Inputs): boolean {
  const lists = mark.flatMap((segment, at) => (typeof segment === "number" ? [mark.slice(0, at)] : []));
  const isAsLong = (list: Path) => lengthAt(values, list) === lengthAt(answer, list);
  return lists.every(isAsLong) && sameInDocument(valueAt(values, mark), valueAt(answer, mark));
}

/** True if no secret of a list appears in the unmarked parts of that list in a response. */
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

/** Every string, number and boolean in a value, and the names of its members, except at some paths. */
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
