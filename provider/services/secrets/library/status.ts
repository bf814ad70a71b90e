import {
  errorOfRead,
  isObject,
  isSuccess,
  type Json,
  type Learnt,
  type Route,
  send,
  sendAlike,
  textIn,
  type Values,
  type Work,
} from "../../../core";
import { isAbsent, secrets } from "../service";

/** One account of a library set, as the set's status shows it. */
export interface Account {
  readonly isAvailable: boolean;
  /** Who has it, as the service tells it. */
  readonly borrower: string;
}

/** The accounts of a set, by their names. */
export type Accounts = ReadonlyMap<string, Account>;

const status: Route = { method: "GET", path: "/{+mount}/library/{setName}/status" };
const set: Route = { method: "GET", path: "/{+mount}/library/{setName}" };

/** Every account of the set; undefined where the set is proven gone: its status is refused, and the set itself absent. */
export async function accountsOf({
  context,
  address,
}: Pick<Work, "context" | "address">): Promise<Accounts | undefined> {
  const answer = await sendAlike(context, status, address);
  if (isSuccess(answer)) {
    const accounts = accountsFrom(secrets.open(answer.json ?? null));
    // A set has an account at least: what shows none is something else, and no proof that ours is not lent any more.
    if (accounts.size > 0) return accounts;
  }
  if (answer.status === 400 && isAbsent(await send(context, set, address, { nature: "read" })))
    return undefined;
  throw errorOfRead(context, answer, status, address);
}

/** Whether anybody may check accounts of the set in; so it is taken for, where the set cannot be read. */
export async function isOpenToAll({ context, address }: Work): Promise<boolean> {
  const answer = await send(context, set, address, { nature: "read" });
  return !isSuccess(answer) || secrets.open(answer.json ?? null).disable_check_in_enforcement !== false;
}

/** The accounts that a status shows, or that were kept of one. */
export function accountsFrom(entries: Values): Accounts {
  return new Map(
    Object.entries(entries).flatMap(([name, entry]) =>
      isObject(entry) && typeof entry.available === "boolean" ? [[name, accountFrom(entry)]] : [],
    ),
  );
}

/** The accounts as the state keeps them, in the form in which a status shows them. */
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

/** Whether an account is taken by whom the state knows to be us; by anybody, where it does not know. */
export function isOurs(known: Learnt, account: Account | undefined): boolean {
  if (account === undefined || account.isAvailable) return false;
  return known.borrower === undefined || known.borrower === account.borrower;
}

/** Whether an account was taken between two looks. */
export function isNewlyGone(before: Account | undefined, now: Account): boolean {
  return !now.isAvailable && (before === undefined || before.isAvailable || before.borrower !== now.borrower);
}

/** The set as messages name it. */
export function setName({ address }: Work): string {
  return `the library set ${JSON.stringify(`${address.mount}/${address.setName}`)}`;
}
