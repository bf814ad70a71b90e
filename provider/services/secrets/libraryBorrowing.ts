import type { Address, Known, Route, Values, Work } from "../../core/define";
import { isObject, type Json } from "../../core/json";
import { send } from "../../core/steps/context";
import { errorFrom, isSuccess } from "../../core/steps/observe";
import { sendOnce } from "../../core/steps/once";
import { nameOf } from "../../core/steps/resource";
import { secondsIn } from "./durations";
import { inTurn } from "./libraryTurns";

/** Checking accounts of a library set out and in (specification: Library service account, the table of states). */

const at = "/{+mount}/library/{setName}";
const status: Route = { method: "GET", path: `${at}/status` };
const borrow: Route = { method: "POST", path: `${at}/check-out` };
const giveBack: Route = { method: "POST", path: `${at}/check-in` };
const forceBack: Route = { method: "POST", path: "/{+mount}/library/manage/{setName}/check-in" };

/**
 * Checks an account out, one at a time for each set, so that a lost answer can be told by who is newly gone.
 * @throws Error where none is available, or the answer was lost; what was borrowed is then returned.
 */
export function checkOut(work: Work): Promise<Known> {
  return inTurn(work.context.connection, `${work.address.mount}/${work.address.setName}`, async () => {
    const returned = await returnedFirst(work);
    if (returned.service_account_name !== undefined) return withBorrower(work, returned);
    const before = await accountsOf(work);
    const { context, address, inputs, keep } = work;
    const asked = context.connection.runtime.now();
    const ttl = secondsIn(inputs.ttl ?? undefined);
    const { answer, lost } = await sendOnce(context, borrow, address, ttl === undefined ? {} : { ttl });
    if (lost) throw await afterLostAnswer(work, before, lost);
    if (!isSuccess(answer)) throw errorFrom(context, answer, borrow, address);
    const known = borrowedIn(answer.json ?? null, asked);
    keep(known);
    return withBorrower(work, known);
  });
}

/** What is known of an account that is still ours; undefined where it is available, another's, or its lease has ended. */
export async function stillOurs(work: Work): Promise<Known | undefined> {
  const { known, context } = work;
  if (
    typeof known.lease_ends === "string" &&
    context.connection.runtime.now() >= Date.parse(known.lease_ends)
  ) {
    return undefined;
  }
  return isOurs(known, (await accountsOf(work)).get(accountIn(known))) ? known : undefined;
}

/**
 * Checks the account in, if it is still ours.
 * @throws Error where the service refuses, or the account is still borrowed afterwards.
 */
export async function checkIn(work: Work): Promise<void> {
  const { context, inputs, known } = work;
  const account = accountIn(known) || accountToReturn(known);
  if (account === "") return;
  const now = (await accountsOf(work)).get(account);
  if (now === undefined || now.isAvailable || (known.borrower !== undefined && !isOurs(known, now))) return;
  await returned(work, account);
  if (inputs.manage === true) context.log("info", `${account} was checked in by the privileged path`);
}

interface Account {
  readonly isAvailable: boolean;
  /** Who has it, as the service tells it. */
  readonly borrower: Json;
}

/** Every account of the set, by its name. */
async function accountsOf({ context, address }: Work): Promise<Map<string, Account>> {
  const answer = await send(context, status, address, { nature: "read" });
  if (!isSuccess(answer)) throw errorFrom(context, answer, status, address);
  const data = isObject(answer.json) && isObject(answer.json.data) ? answer.json.data : {};
  return new Map(
    Object.entries(data).flatMap(([name, entry]) => (isObject(entry) ? [[name, accountFrom(entry)]] : [])),
  );
}

function accountFrom({ available, borrower_client_token, borrower_entity_id }: Values): Account {
  return {
    isAvailable: available === true,
    borrower: `${borrower_entity_id ?? ""}/${borrower_client_token ?? ""}`,
  };
}

function borrowedIn(answer: Json, asked: number): Known {
  const envelope = isObject(answer) ? answer : {};
  const data = isObject(envelope.data) ? envelope.data : {};
  const seconds = Number(envelope.lease_duration ?? 0);
  return {
    service_account_name: data.service_account_name ?? "",
    password: data.password ?? "",
    lease_id: envelope.lease_id ?? "",
    lease_duration: seconds,
    renewable: envelope.renewable === true,
    ...(seconds > 0 && { lease_ends: new Date(asked + seconds * 1000).toISOString() }),
  };
}

/** Who the service says that has the account, so that another borrower is told from us later. */
async function withBorrower(work: Work, known: Known): Promise<Known> {
  const account = (await accountsOf(work)).get(accountIn(known));
  return account === undefined || account.isAvailable ? known : { ...known, borrower: account.borrower };
}

function isOurs(known: Known, account: Account | undefined): boolean {
  if (account === undefined || account.isAvailable) return false;
  return known.borrower === undefined || known.borrower === account.borrower;
}

/** After a lost answer: whatever was newly borrowed is returned, by its name. */
async function afterLostAnswer(work: Work, before: Map<string, Account>, lost: Error): Promise<Error> {
  const { context, address, keep } = work;
  const after = await accountsOf(work).catch(() => undefined);
  const name = nameOf(context.definition, address, context.connection);
  if (after === undefined) {
    return new Error(
      `${name}: whether an account was checked out is unclear, because the set's status cannot be read: ${lost.message} ` +
        "Next: read the library's status; what was borrowed comes back by itself when its lease ends.",
    );
  }
  const gone = [...after]
    .filter(([account, now]) => isNewlyGone(before.get(account), now))
    .map(([account]) => account);
  const [only] = gone;
  if (only === undefined) {
    return new Error(`${name}: nothing was checked out: ${lost.message} Run pulumi up again.`);
  }
  if (gone.length > 1) {
    return new Error(
      `${name}: the answer was lost, and several accounts were checked out meanwhile (${gone.join(", ")}), so that ours ` +
        `cannot be told; none was returned, and each comes back when its lease ends: ${lost.message}`,
    );
  }
  keep({ to_return: only });
  await returned(work, only);
  keep({});
  return new Error(
    `${name}: the answer was lost with the password of ${only}, which was checked in again: ${lost.message} Run pulumi up again.`,
  );
}

function isNewlyGone(before: Account | undefined, now: Account): boolean {
  return !now.isAvailable && (before === undefined || before.isAvailable || before.borrower !== now.borrower);
}

/** An earlier up may have left an account that it could not return, or one whose borrower it could not read. */
async function returnedFirst(work: Work): Promise<Known> {
  const account = accountToReturn(work.known);
  if (account === "") return work.known;
  const now = (await accountsOf(work)).get(account);
  if (now !== undefined && !now.isAvailable) await returned(work, account);
  work.keep({});
  return {};
}

/** Checks one account in. Its lost answer, and one that lists nothing, are looked at. */
async function returned(work: Work, account: string): Promise<void> {
  const { context, address, inputs } = work;
  const route = inputs.manage === true ? forceBack : giveBack;
  const { answer, lost } = await sendOnce(context, route, address, { service_account_names: [account] });
  if (answer !== undefined && isSuccess(answer) && namesIn(answer.json ?? null).includes(account)) return;
  const now = (await accountsOf(work)).get(account);
  if (now === undefined || now.isAvailable) return;
  if (lost) throw lost;
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  throw new Error(
    `${nameOf(context.definition, address as Address, context.connection)}: the service accepted the check-in of ${account}, which is still borrowed; ` +
      "it comes back when its lease ends, or by the privileged path (manage: true)",
  );
}

function namesIn(answer: Json): readonly Json[] {
  const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
  return Array.isArray(data.check_ins) ? data.check_ins : [];
}

function accountIn({ service_account_name: name }: Known): string {
  return typeof name === "string" ? name : "";
}

function accountToReturn({ to_return: name }: Known): string {
  return typeof name === "string" ? name : "";
}
