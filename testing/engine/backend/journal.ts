import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import type { JsonMap } from "../json";
import { Refusal } from "../refusal";
import { readTextIfPresent } from "./files";

/**
 * Records the steps of an update, one per line, relative to a checkpoint. Writing a complete checkpoint after every step
 * would cost the square of the number of steps; a line costs only the size of the change.
 *
 * `append` returns after the operating system has the line, and no dependent step begins earlier. A killed process therefore
 * loses no step that was ever reported. An incomplete line belongs to a step that was never reported.
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

  /** Records which checkpoint contains all steps. Afterward either file may be missing without losing information. */
  conclude(checkpoint: string): void {
    this.#write({ folded: digest(checkpoint) });
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #write(line: object): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** The change of a step in the list of resources: at index `at`, `removed` elements are replaced with `inserted`. */
export interface JournalRecord {
  readonly at: number;
  readonly removed: number;
  /** Complete resources, or indices in the list before this record. */
  readonly inserted: readonly (JsonMap | number)[];
  readonly pending: readonly JsonMap[];
}

/** The contents of a stack in the checkpoint's format. */
export interface RawSnapshot {
  readonly resources: readonly JsonMap[];
  readonly pending: readonly JsonMap[];
}

/** Applies the journal at `path` to a snapshot, if it exists and the checkpoint does not contain it yet. */
export function replay(path: string, checkpoint: string, snapshot: RawSnapshot): RawSnapshot {
  const lines = readTextIfPresent(path)?.split("\n").slice(0, -1) ?? [];
  // The first line names the checkpoint it starts from; the last may name the checkpoint that contains it.
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

/** The shortest record that turns one list into the other; elements are compared by identity. */
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
