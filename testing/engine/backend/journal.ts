import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import type { JsonMap } from "../json";
import { Refusal } from "../refusal";
import { readTextIfPresent } from "./files";

/**
 * The steps of an update, one line each, beside the checkpoint that they start from. Writing a whole checkpoint
 * after every step would cost the square of their number; a line costs what the step changed.
 *
 * A line is handed to the operating system before `append` returns, and nothing that depends on the step begins
 * before that. A killed process therefore loses no step that was ever reported; a line without an end belongs
 * to a step whose report never came.
 */
export class Journal {
  readonly #file: number;

  constructor(path: string, checkpoint: string) {
    this.#file = openSync(path, "wx");
    this.#write({ base: digest(checkpoint) });
  }

  append(record: JournalRecord): void {
    this.#write(record);
  }

  /** Says which checkpoint holds all of it. From then on either file may be missing and nothing is in doubt. */
  conclude(checkpoint: string): void {
    this.#write({ folded: digest(checkpoint) });
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #write(line: object): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** What a step changed in the list of resources: at `at`, `removed` of them made way for `inserted`. */
export interface JournalRecord {
  readonly at: number;
  readonly removed: number;
  /** Whole resources, or the places that they had in the list before this record. */
  readonly inserted: readonly (JsonMap | number)[];
  readonly pending: readonly JsonMap[];
}

/** What a stack holds, in the checkpoint's own form. */
export interface RawSnapshot {
  readonly resources: readonly JsonMap[];
  readonly pending: readonly JsonMap[];
}

/** The snapshot after the journal at `path`, if there is one and it still has something to say. */
export function replay(path: string, checkpoint: string, snapshot: RawSnapshot): RawSnapshot {
  const lines = readTextIfPresent(path)?.split("\n").slice(0, -1) ?? [];
  // Its own lines, written above; the first names the checkpoint, the last may name its successor.
  const [head, ...rest] = lines.map((line) => JSON.parse(line)) as [{ base: string }?, ...JournalLine[]];
  if (head === undefined) return snapshot;
  const last = rest.at(-1);
  const current = digest(checkpoint);
  if (last !== undefined && "folded" in last && last.folded === current) return snapshot;
  if (head.base !== current) {
    throw new Refusal(
      `${path} holds steps of an interrupted update, and the checkpoint beside it was written by another program ` +
        "since; compare the two and remove the journal",
    );
  }
  return rest.filter((line) => "at" in line).reduce(apply, snapshot);
}

type JournalLine = JournalRecord | { readonly folded: string };

function apply({ resources }: RawSnapshot, { at, removed, inserted, pending }: JournalRecord): RawSnapshot {
  const incoming = inserted.map((item) => (typeof item === "number" ? (resources[item] ?? {}) : item));
  return { resources: resources.toSpliced(at, removed, ...incoming), pending };
}

/** The shortest record that turns one list into the other; elements are the same where they are identical. */
export function difference<T extends object>(before: readonly T[], after: readonly T[]) {
  const limit = Math.min(before.length, after.length);
  let at = 0;
  while (at < limit && before[at] === after[at]) at++;
  let tail = 0;
  while (tail < limit - at && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const removed = before.slice(at, before.length - tail);
  const places = new Map(removed.map((item, index) => [item, at + index]));
  return {
    at,
    removed: removed.length,
    inserted: after.slice(at, after.length - tail).map((item) => places.get(item) ?? item),
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
