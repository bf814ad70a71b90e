import type { Connection, Settings } from "../../../core";

// Each step has a connection of its own around the one that all share, whose settings are the same object.
const turns = new WeakMap<Settings, Map<string, Promise<unknown>>>();
const borrowers = new WeakMap<Settings, string>();

/** Runs one thing after the other for each key of a connection; a failure of one does not stop the next. */
export function inTurn<T>({ settings }: Connection, key: string, run: () => Promise<T>): Promise<T> {
  const own = turns.get(settings) ?? new Map<string, Promise<unknown>>();
  turns.set(settings, own);
  const before = own.get(key) ?? Promise.resolve();
  const turn = before.then(run, run);
  own.set(key, turn);
  return turn;
}

/** Who a connection is to the libraries of its service, as an earlier check-out has shown; or as one shows now. */
export function ourBorrower({ settings }: Connection, shown?: string): string | undefined {
  if (shown !== undefined) borrowers.set(settings, shown);
  return borrowers.get(settings);
}
