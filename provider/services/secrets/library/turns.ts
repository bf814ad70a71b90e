import type { Connection, Settings } from "../../../core";

// Each step has its own connection around the shared one. The settings of both are the same object.
const turns = new WeakMap<Settings, Map<string, Promise<unknown>>>();
const borrowers = new WeakMap<Settings, string>();

/** Runs tasks one after another for each key of a connection. A failed task does not stop the next. */
export function inTurn<T>({ settings }: Connection, key: string, run: () => Promise<T>): Promise<T> {
  const own = turns.get(settings) ?? new Map<string, Promise<unknown>>();
  turns.set(settings, own);
  const before = own.get(key) ?? Promise.resolve();
  const turn = before.then(run, run);
  own.set(key, turn);
  return turn;
}

/** The name of a connection as a borrower on its server: `shown`, or else the name from an earlier check-out. */
export function ourBorrower({ settings }: Connection, shown?: string): string | undefined {
  if (shown !== undefined) borrowers.set(settings, shown);
  return borrowers.get(settings);
}
