import {
  errorFrom,
  isObject,
  isSuccess,
  type Json,
  type Learnt,
  type Route,
  sendOnce,
  type Work,
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
  answers: ["service_account_name", "password"],
};

/**
 * Checks an account out, one at a time per set, so that the status identifies the account after a lost response.
 * @throws Error if no account is available, or if the response was lost. After a lost response the account is checked in
 * again.
 */
export function checkOut(work: Work): Promise<Learnt> {
  return inTurn(
    work.context.connection,
    `${work.address.namespace ?? ""}@${work.address.mount}/${work.address.setName}`,
    async () => {
      const resumed = await whatWasLeft(work);
      if (resumed !== undefined) return resumed;
      const before = await accountsOrGone(work);
      const { context, address, inputs, keep } = work;
      const asked = context.connection.runtime.now();
      const ttl = secondsIn(inputs.ttl ?? undefined);
      const { answer, lost } = await sendOnce(context, borrow, address, ttl === undefined ? {} : { ttl });
      if (lost) throw await afterLostAnswer(work, before, lost);
      if (!isSuccess(answer))
        throw await afterRejection(work, before, errorFrom(context, answer, borrow, address));
      const known = accountFromResponse(answer.json ?? null, asked);
      keep(known);
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
export async function stillOurs(work: Work): Promise<Learnt | undefined> {
  if (hasEnded(work, work.learnt)) return undefined;
  const account = (await accountsOf(work))?.get(accountIn(work.learnt));
  return isOurs(work.learnt, account) ? work.learnt : undefined;
}

/**
 * Checks the account in, if we still have it.
 * @throws Error if the server refuses, or if the account is still checked out afterward.
 */
export async function checkIn(work: Work): Promise<void> {
  const { learnt, inputs } = work;
  const account = accountIn(learnt) || accountToReturn(learnt);
  if (account === "" || hasEnded(work, learnt)) return;
  if (!isOurs(learnt, (await accountsOf(work))?.get(account))) return;
  await checkInAccount(work, account, { byManaging: inputs.manage === true });
}

/**
 * Handles the remains of an earlier update: an account that it could not return, an unknown borrower, or an unknown outcome.
 */
async function whatWasLeft(work: Work): Promise<Learnt | undefined> {
  const { learnt, keep } = work;
  if (isObject(learnt.before)) await resolveDoubt(work, accountsFrom(learnt.before));
  const toReturn = accountToReturn(learnt);
  if (toReturn !== "" && isOurs(learnt, (await accountsOrGone(work)).get(toReturn))) {
    await checkInAccount(work, toReturn, { byManaging: false });
  }
  if (accountIn(learnt) !== "" && !hasEnded(work, learnt)) {
    const accounts = await accountsOrGone(work);
    if (isOurs(learnt, accounts.get(accountIn(learnt)))) return withBorrower(work, learnt, accounts);
  }
  keep({});
  return undefined;
}

/** Reads the status that an earlier update could not read, and returns the account that its lost request checked out. */
async function resolveDoubt(work: Work, before: Accounts): Promise<void> {
  const gone = newlyGone(before, await accountsOrGone(work));
  if (gone.length === 0) return;
  const refusal = await returnOnly(work, gone);
  if (refusal !== undefined) work.context.log("warning", refusal.text, refusal.facts);
}

function accountFromResponse(answer: Json, asked: number): Learnt {
  const envelope = isObject(answer) ? answer : {};
  const data = isObject(envelope.data) ? envelope.data : {};
  return {
    service_account_name: data.service_account_name ?? "",
    password: data.password ?? "",
    ...leaseLearnt(envelope, asked),
  };
}

/** Records the borrower that the server reports, to detect another borrower later. */
function withBorrower({ context }: Work, known: Learnt, accounts: Accounts): Learnt {
  const account = accounts.get(accountIn(known));
  if (account === undefined || account.isAvailable) return known;
  ourBorrower(context.connection, account.borrower);
  return { ...known, borrower: account.borrower };
}

/** Reports accounts that were already checked out with the same token or entity: those of another resource, or of an interrupted update. */
function tellOut(work: Work, before: Accounts, { borrower }: Learnt): void {
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
function hasEnded({ context }: Work, { lease_ends: ends }: Learnt): boolean {
  return typeof ends === "string" && context.connection.runtime.now() >= Date.parse(ends);
}

function accountIn({ service_account_name: name }: Learnt): string {
  return typeof name === "string" ? name : "";
}

function accountToReturn({ to_return: name }: Learnt): string {
  return typeof name === "string" ? name : "";
}
