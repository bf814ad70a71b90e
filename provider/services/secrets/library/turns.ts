import type { Connection } from "../../../core/language/connection";

const turns = new WeakMap<Connection, Map<string, Promise<unknown>>>();
const borrowers = new WeakMap<Connection, string>();

/** Runs one thing after the other for each key of a connection; a failure of one does not stop the next. */
export function inTurn<T>(connection: Connection, key: string, run: () => Promise<T>): Promise<T> {
  const own = turns.get(connection) ?? new Map<string, Promise<unknown>>();
  turns.set(connection, own);
  const before = own.get(key) ?? Promise.resolve();
  const turn = before.then(run, run);
  own.set(key, turn);
  return turn;
}

/** Who a connection is to the libraries of its service, as an earlier check-out has shown; or as one shows now. */
export function ourBorrower(connection: Connection, shown?: string): string | undefined {
  if (shown !== undefined) borrowers.set(connection, shown);
  return borrowers.get(connection);
}
