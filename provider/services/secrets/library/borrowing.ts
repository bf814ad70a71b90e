import {
  ActionableError,
  errorFrom,
  foundAfter,
  isObject,
  isSuccess,
  type Json,
  type Learnt,
  type MessageFacts,
  manualCheck,
  probeContext,
  type Route,
  rerunUp,
  type ServiceError,
  sendOnce,
  type Work,
} from "../../../core";
import { leaseLearnt } from "../credentials/leases";
import { secondsIn } from "../durations";
import { checkedIn } from "./returning";
import { type Accounts, accountsFrom, accountsOf, isNewlyGone, isOurs, setName, snapshotOf } from "./status";
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
      if (!isSuccess(answer)) throw await refused(work, before, errorFrom(context, answer, borrow, address));
      const known = borrowedIn(answer.json ?? null, asked);
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
 * @throws Error if the server refuses, or if the account is still checked out afterwards.
 */
export async function checkIn(work: Work): Promise<void> {
  const { learnt, inputs } = work;
  const account = accountIn(learnt) || accountToReturn(learnt);
  if (account === "" || hasEnded(work, learnt)) return;
  if (!isOurs(learnt, (await accountsOf(work))?.get(account))) return;
  await checkedIn(work, account, { byManaging: inputs.manage === true });
}

/**
 * Handles the remains of an earlier update: an account that it could not return, an unknown borrower, or an unknown outcome.
 */
async function whatWasLeft(work: Work): Promise<Learnt | undefined> {
  const { learnt, keep } = work;
  if (isObject(learnt.before)) await resolveDoubt(work, accountsFrom(learnt.before));
  const toReturn = accountToReturn(learnt);
  if (toReturn !== "" && isOurs(learnt, (await accountsOrGone(work)).get(toReturn))) {
    await checkedIn(work, toReturn, { byManaging: false });
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

/** After a lost response: returns the newly checked-out account, by name. */
async function afterLostAnswer(work: Work, before: Accounts, lost: ServiceError): Promise<ActionableError> {
  const name = setName(work);
  const after = await foundAfter(work.context, lost, async (context) => {
    const found = await accountsOf({ ...work, context });
    return { isApplied: found === undefined || newlyGone(before, found).length > 0, found };
  }).catch(() => undefined);
  if (after === undefined) {
    work.keep({ before: snapshotOf(before) });
    return new ActionableError(
      `${name}: whether an account was checked out is unclear, because the set's status cannot be read: ${lost.summary}`,
      [RETURNS],
      { outcome: "unknown" },
    );
  }
  const gone = newlyGone(before, after);
  const [only] = gone;
  if (only === undefined && lost.outcome === "inFlight") {
    work.keep({ before: snapshotOf(before) });
    return new ActionableError(
      `${name}: no account shows as checked out by this request, which may still be carried out: ${lost.summary}`,
      [RETURNS],
      { outcome: "unknown" },
    );
  }
  if (only === undefined) {
    // Someone may already have checked in the account of this request.
    return new ActionableError(
      `${name}: no account shows as checked out by this request: ${lost.summary}`,
      [rerunUp()],
      { outcome: "unknown" },
    );
  }
  const refusal = await returnOnly(work, gone);
  return new ActionableError(
    refusal === undefined
      ? `${name}: the answer was lost with the password of ${only}, which was checked in again: ${lost.summary}`
      : `${name}: the answer was lost: ${lost.summary} ${refusal.text}`,
    [rerunUp()],
    refusal === undefined
      ? { outcome: "applied", isReverted: true }
      : { outcome: "unknown", ...refusal.facts },
  );
}

/**
 * After a rejection: the request may have arrived twice, and the first copy may have taken the account that the second one
 * lacks.
 */
async function refused(work: Work, before: Accounts, refusal: ServiceError): Promise<ActionableError> {
  const after = await accountsOf({ ...work, context: probeContext(work.context) }).catch(() => undefined);
  const gone = after ? newlyGone(before, after) : [];
  if (gone.length === 0) return refusal;
  work.keep({ before: snapshotOf(before) });
  return new ActionableError(
    `${refusal.summary} Meanwhile ${gone.join(", ")} ${gone.length === 1 ? "was" : "were"} checked out: by somebody else, or by this request, should something on the way have sent it twice.`,
    [RETURNS],
    { outcome: "unknown", changedBy: "unknown" },
  );
}

const RETURNS = rerunUp(", which reads the status, and returns what was borrowed");

/** Why an account was not returned to its set. */
interface NotReturned {
  readonly text: string;
  readonly facts: MessageFacts;
}

/** Returns the one newly checked-out account to the set. The result is the reason if that account may be someone else's. */
async function returnOnly(work: Work, gone: readonly string[]): Promise<NotReturned | undefined> {
  const [only = "", ...others] = gone;
  const later = "It was left alone, and comes back when its lease ends, or when somebody checks it in.";
  if (others.length > 0) {
    return {
      text: `Several accounts were checked out meanwhile (${gone.join(", ")}), so that ours cannot be told; none was returned, and each comes back when its lease ends, or when somebody checks it in.`,
      facts: { changedBy: "unknown" },
    };
  }
  const notOurs: NotReturned = {
    text: `${only} was checked out meanwhile by somebody else. ${later}`,
    facts: { changedBy: "someoneElse" },
  };
  const account = (await accountsOrGone({ ...work, context: probeContext(work.context) })).get(only);
  const known = ourBorrower(work.context.connection);
  if (known !== undefined && account !== undefined && account.borrower !== known) return notOurs;
  work.keep({ to_return: only, ...(account && { borrower: account.borrower }) });
  const outcome = await checkedIn(work, only, { byManaging: false, isInDoubt: known === undefined });
  work.keep({});
  if (outcome === "not ours") return notOurs;
  if (outcome !== "cannot be told") return undefined;
  return {
    text: `${only} was checked out meanwhile, and anybody may check accounts of this set in, so that it cannot be told whether it is ours. ${later}`,
    facts: { changedBy: "unknown" },
  };
}

async function accountsOrGone(work: Work): Promise<Accounts> {
  const accounts = await accountsOf(work);
  if (accounts !== undefined) return accounts;
  throw new ActionableError(`${setName(work)} does not exist.`, [
    manualCheck("Check its name and the mount."),
  ]);
}

function newlyGone(before: Accounts, after: Accounts): string[] {
  return [...after].filter(([name, now]) => isNewlyGone(before.get(name), now)).map(([name]) => name);
}

function borrowedIn(answer: Json, asked: number): Learnt {
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

/** Reports accounts that the same borrower already had: those of another resource, or of an interrupted update. */
function tellOut(work: Work, before: Accounts, { borrower }: Learnt): void {
  const out = [...before].filter(([, account]) => !account.isAvailable && account.borrower === borrower);
  if (out.length === 0) return;
  const names = out.map(([name]) => name).join(", ");
  work.context.log(
    "info",
    `${names} of ${setName(work)} ${out.length === 1 ? "was" : "were"} out to the same borrower already: another resource's, or what an up has left that was killed, which comes back when its lease ends, or when somebody checks it in`,
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
