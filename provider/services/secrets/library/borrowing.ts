import {
  errorFrom,
  isObject,
  isSuccess,
  type Json,
  type ProcedureInput,
  type ProcedureProgress,
  type Route,
  sendOnce,
} from "../../../core";
import { leaseLearnt } from "../credentials/leases";
import { secondsIn } from "../durations";
import { accountsOrGone, afterLostAnswer, afterRejection, newlyGone, returnOnly } from "./lostCheckOut";
import { checkInAccount } from "./returning";
import { type Accounts, accountsFrom, accountsOf, isOurs, setName } from "./status";
import { inTurn, ourBorrower } from "./turns";

/** Check-out and check-in of a library set's accounts (specification: Library service account, the table of states). */

const borrow: Route = {
  method: "POST",
  path: "/{+mount}/library/{setName}/check-out",
  expects: ["service_account_name", "password"],
};

/**
 * Checks an account out, one at a time per set, so that the status identifies the account after a lost response.
 * @throws Error if no account is available, or if the response was lost. After a lost response the account is checked in
 * again.
 */
export function checkOut(work: ProcedureInput): Promise<ProcedureProgress> {
  return inTurn(
    work.context.connection,
    `${work.address.namespace ?? ""}@${work.address.mount}/${work.address.setName}`,
    async () => {
      const resumed = await whatWasLeft(work);
      if (resumed !== undefined) return resumed;
      const before = await accountsOrGone(work);
      const { context, address, inputs, save } = work;
      const asked = context.connection.runtime.now();
      const ttl = secondsIn(inputs.ttl ?? undefined);
      const { answer, lost } = await sendOnce(context, borrow, address, ttl === undefined ? {} : { ttl });
      if (lost) throw await afterLostAnswer(work, before, lost);
      if (!isSuccess(answer))
        throw await afterRejection(work, before, errorFrom(context, answer, borrow, address));
      const known = accountFromResponse(answer.json ?? null, asked);
      save(known);
      const whole = withBorrower(work, known, await accountsOrGone(work));
      tellOut(work, before, whole);
      return whole;
    },
  );
}

/**
 * The data of an account that we still have checked out. Undefined if the account is available, checked out by someone else,
 * or past its lease.
 */
export async function stillOurs(work: ProcedureInput): Promise<ProcedureProgress | undefined> {
  if (hasEnded(work, work.progress)) return undefined;
  const account = (await accountsOf(work))?.get(accountIn(work.progress));
  return isOurs(work.progress, account) ? work.progress : undefined;
}

/**
 * Checks the account in, if we still have it.
 * @throws Error if the server refuses, or if the account is still checked out afterward.
 */
export async function checkIn(work: ProcedureInput): Promise<void> {
  const { progress, inputs } = work;
  const account = accountIn(progress) || accountToReturn(progress);
  if (account === "" || hasEnded(work, progress)) return;
  if (!isOurs(progress, (await accountsOf(work))?.get(account))) return;
  await checkInAccount(work, account, { byManaging: inputs.manage === true });
}

/**
 * Handles the remains of an earlier update: an account that it could not return, an unknown borrower, or an unknown outcome.
 */
async function whatWasLeft(work: ProcedureInput): Promise<ProcedureProgress | undefined> {
  const { progress, save } = work;
  if (isObject(progress.before)) await resolveDoubt(work, accountsFrom(progress.before));
  const toReturn = accountToReturn(progress);
  if (toReturn !== "" && isOurs(progress, (await accountsOrGone(work)).get(toReturn))) {
    await checkInAccount(work, toReturn, { byManaging: false });
  }
  if (accountIn(progress) !== "" && !hasEnded(work, progress)) {
    const accounts = await accountsOrGone(work);
    if (isOurs(progress, accounts.get(accountIn(progress)))) return withBorrower(work, progress, accounts);
  }
  save({});
  return undefined;
}

/** Reads the status that an earlier update could not read, and returns the account that its lost request checked out. */
async function resolveDoubt(work: ProcedureInput, before: Accounts): Promise<void> {
  const gone = newlyGone(before, await accountsOrGone(work));
  if (gone.length === 0) return;
  const refusal = await returnOnly(work, gone);
  if (refusal !== undefined) work.context.log("warning", refusal.text, refusal.facts);
}

function accountFromResponse(answer: Json, asked: number): ProcedureProgress {
  const envelope = isObject(answer) ? answer : {};
  const data = isObject(envelope.data) ? envelope.data : {};
  return {
    service_account_name: data.service_account_name ?? "",
    password: data.password ?? "",
    ...leaseLearnt(envelope, asked),
  };
}

/** Records the borrower that the server reports, to detect another borrower later. */
function withBorrower(
  { context }: ProcedureInput,
  known: ProcedureProgress,
  accounts: Accounts,
): ProcedureProgress {
  const account = accounts.get(accountIn(known));
  if (account === undefined || account.isAvailable) return known;
  ourBorrower(context.connection, account.borrower);
  return { ...known, borrower: account.borrower };
}

/** Reports accounts that were already checked out with the same token or entity: those of another resource, or of an interrupted update. */
function tellOut(work: ProcedureInput, before: Accounts, { borrower }: ProcedureProgress): void {
  const out = [...before].filter(([, account]) => !account.isAvailable && account.borrower === borrower);
  if (out.length === 0) return;
  const names = out.map(([name]) => name).join(", ");
  const accounts = out.length === 1 ? "the account" : "these accounts";
  work.context.log(
    "info",
    `${names} of ${setName(work)} ${out.length === 1 ? "was" : "were"} already checked out with the same token or entity, for another resource or by an interrupted pulumi up. If no resource uses ${accounts}, check in ${accounts} manually, or wait until the lease ends`,
    { changedBy: "unknown" },
  );
}

/** True if the lease has ended, by the clock of the machine that checked the account out. */
function hasEnded({ context }: ProcedureInput, { lease_ends: ends }: ProcedureProgress): boolean {
  return typeof ends === "string" && context.connection.runtime.now() >= Date.parse(ends);
}

function accountIn({ service_account_name: name }: ProcedureProgress): string {
  return typeof name === "string" ? name : "";
}

function accountToReturn({ to_return: name }: ProcedureProgress): string {
  return typeof name === "string" ? name : "";
}
