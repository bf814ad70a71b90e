import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Json } from "../json";
import { isMissing, writeObject } from "./files";
import type { StackReference } from "./reference";
import type { StackStore } from "./store";

/** One update in the format of the CLI's history files; times are in seconds since 1970. */
export interface UpdateRecord {
  readonly kind: "update" | "refresh" | "destroy";
  readonly startTime: number;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The stack's configuration in the format of its settings file, with encrypted secrets. */
  readonly config: Readonly<Record<string, Json>>;
  readonly result: "succeeded" | "failed";
  readonly endTime: number;
  /** Always 0: only Pulumi Cloud numbers updates. */
  readonly version: 0;
  readonly resourceChanges?: Readonly<Record<string, number>>;
}

/** Records an update in the history with a copy of its checkpoint, and writes a backup. */
export function addToHistory(store: StackStore, reference: StackReference, record: UpdateRecord): void {
  const { history, backups, checkpoint } = store.paths(reference);
  const text = store.checkpointText(reference);
  const stamp = nanoseconds();
  mkdirSync(history, { recursive: true });
  mkdirSync(backups, { recursive: true });
  writeObject(join(history, `${reference.name}-${stamp}.history.json`), JSON.stringify(record));
  writeObject(join(history, `${reference.name}-${stamp}.checkpoint.json`), text);
  writeObject(join(backups, `${basename(checkpoint, ".json")}.${stamp}.json`), text);
}

/** A stack's updates, latest first. `page` starts at 1; a `pageSize` of 0 returns all updates. */
export function readHistory(
  store: StackStore,
  reference: StackReference,
  { pageSize, page }: { readonly pageSize: number; readonly page: number },
): UpdateRecord[] {
  const { history } = store.paths(reference);
  const names = namesIn(history)
    .filter((name) => name.endsWith(".history.json"))
    .sort()
    .reverse();
  const start = pageSize > 0 ? (Math.max(page, 1) - 1) * pageSize : 0;
  return names
    .slice(start, pageSize > 0 ? start + pageSize : undefined)
    .map((name) => JSON.parse(readFileSync(join(history, name), "utf8")));
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

let last = 0n;

/** The time in nanoseconds, for file names like the CLI's; later calls return larger values. */
function nanoseconds(): bigint {
  const now = BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  last = now > last ? now : last + 1n;
  return last;
}
