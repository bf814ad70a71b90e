import {
  errorOfRead,
  isObject,
  isSuccess,
  type Json,
  type ProcedureInput,
  type ProcedureProgress,
  type Route,
  send,
  sendAlike,
  textIn,
  type Values,
} from "../../../core";
import { isAbsent, secrets } from "../service";

/** One account in a library set's status. */
export interface Account {
  readonly isAvailable: boolean;
  /** The borrower, as the server reports it. */
  readonly borrower: string;
}

/** The accounts of a set, by name. */
export type Accounts = ReadonlyMap<string, Account>;

const status: Route = { method: "GET", path: "/{+mount}/library/{setName}/status" };
const set: Route = { method: "GET", path: "/{+mount}/library/{setName}" };

/**
 * All accounts of the set. Undefined if the set provably does not exist: the server rejects its status, and the set itself
 * is absent.
 */
export async function accountsOf({
  context,
  address,
}: Pick<ProcedureInput, "context" | "address">): Promise<Accounts | undefined> {
  const answer = await sendAlike(context, status, address);
  if (isSuccess(answer)) {
    const accounts = accountsFrom(secrets.unwrap(answer.json ?? null));
    // A set has at least one account. A response without accounts is not its status, and does not prove that our check-out
    // has ended.
    if (accounts.size > 0) return accounts;
  }
  if (answer.status === 400 && isAbsent(await send(context, set, address, { nature: "read" })))
    return undefined;
  throw errorOfRead(context, answer, status, address);
}

/** True if anyone may check accounts of the set in. Also true if the set cannot be read. */
export async function isOpenToAll({ context, address }: ProcedureInput): Promise<boolean> {
  const answer = await send(context, set, address, { nature: "read" });
  return !isSuccess(answer) || secrets.unwrap(answer.json ?? null).disable_check_in_enforcement !== false;
}

/** The accounts in a status, or in a stored snapshot of one. */
export function accountsFrom(entries: Values): Accounts {
  return new Map(
    Object.entries(entries).flatMap(([name, entry]) =>
      isObject(entry) && typeof entry.available === "boolean" ? [[name, accountFrom(entry)]] : [],
    ),
  );
}

/** The accounts as the state stores them, in the form of a status. */
export function snapshotOf(accounts: Accounts): { [name: string]: Json } {
  return Object.fromEntries(
    [...accounts].map(([name, { isAvailable, borrower }]) => [name, { available: isAvailable, borrower }]),
  );
}

function accountFrom(entry: Values): Account {
  const { available, borrower, borrower_client_token: token, borrower_entity_id: entity } = entry;
  return {
    isAvailable: available === true,
    borrower: typeof borrower === "string" ? borrower : `${textIn(entity) ?? ""}/${textIn(token) ?? ""}`,
  };
}

/** True if the recorded borrower has the account. If no borrower is recorded, any borrower counts. */
export function isOurs(known: ProcedureProgress, account: Account | undefined): boolean {
  if (account === undefined || account.isAvailable) return false;
  return known.borrower === undefined || known.borrower === account.borrower;
}

/** True if someone checked the account out between two reads. */
export function isNewlyGone(before: Account | undefined, now: Account): boolean {
  return !now.isAvailable && (before === undefined || before.isAvailable || before.borrower !== now.borrower);
}

/** The name of the set in messages. */
export function setName({ address }: ProcedureInput): string {
  return `the library set ${JSON.stringify(`${address.mount}/${address.setName}`)}`;
}
