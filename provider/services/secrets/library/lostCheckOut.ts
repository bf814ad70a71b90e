import {
  ActionableError,
  type MessageFacts,
  manualCheck,
  type ProcedureInput,
  probeAfter,
  probeContext,
  rerunUp,
  type ServiceError,
} from "../../../core";
import { checkInAccount } from "./returning";
import { type Accounts, accountsOf, isNewlyGone, setName, snapshotOf } from "./status";
import { ourBorrower } from "./turns";

// A check-out whose response was lost: finds the account by the set's status, and checks it in again.

/** After a lost response: returns the newly checked-out account, by name. */
export async function afterLostAnswer(
  work: ProcedureInput,
  before: Accounts,
  lost: ServiceError,
): Promise<ActionableError> {
  const name = setName(work);
  const after = await probeAfter(work.context, lost, async (context) => {
    const found = await accountsOf({ ...work, context });
    return { isApplied: found === undefined || newlyGone(before, found).length > 0, found };
  }).catch(() => undefined);
  if (after === undefined) {
    work.save({ before: snapshotOf(before) });
    return new ActionableError(
      `${name}: the response to the check-out was lost: ${lost.summary} The status of the set could not be read, so it is unknown whether an account was checked out.`,
      [RETURNS],
      { outcome: "unknown" },
    );
  }
  const gone = newlyGone(before, after);
  const [only] = gone;
  if (only === undefined && lost.outcome === "inFlight") {
    work.save({ before: snapshotOf(before) });
    return new ActionableError(
      `${name}: the response to the check-out was lost: ${lost.summary} The status of the set shows no account of this request, but the server may still process the request.`,
      [RETURNS],
      { outcome: "unknown", isNotShown: true },
    );
  }
  if (only === undefined) {
    // Someone may already have checked in the account of this request.
    return new ActionableError(
      `${name}: the response to the check-out was lost: ${lost.summary} The status of the set shows no account of this request.`,
      [rerunUp()],
      { outcome: "unknown", isNotShown: true },
    );
  }
  const refusal = await returnOnly(work, gone);
  return new ActionableError(
    refusal === undefined
      ? `${name}: the response with the password of ${only} was lost: ${lost.summary} The account was checked in again.`
      : `${name}: the response to the check-out was lost: ${lost.summary} ${refusal.text}`,
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
export async function afterRejection(
  work: ProcedureInput,
  before: Accounts,
  refusal: ServiceError,
): Promise<ActionableError> {
  const after = await accountsOf({ ...work, context: probeContext(work.context) }).catch(() => undefined);
  const gone = after ? newlyGone(before, after) : [];
  if (gone.length === 0) return refusal;
  work.save({ before: snapshotOf(before) });
  return new ActionableError(
    `${refusal.summary} During the request, ${gone.join(", ")} ${gone.length === 1 ? "was" : "were"} checked out: by someone else, or by this request, if a proxy sent the request twice.`,
    [RETURNS],
    { outcome: "unknown", changedBy: "unknown" },
  );
}

const RETURNS = rerunUp(" to read the status and check in an account that this request checked out");

/** Why an account was not returned to its set. */
interface NotReturned {
  readonly text: string;
  readonly facts: MessageFacts;
}

/** Returns the one newly checked-out account to the set. The result is the reason if that account may be someone else's. */
export async function returnOnly(
  work: ProcedureInput,
  gone: readonly string[],
): Promise<NotReturned | undefined> {
  const [only = "", ...others] = gone;
  const later = "The account stays checked out until its lease ends, or until someone checks the account in.";
  if (others.length > 0) {
    return {
      text: `Several accounts were checked out during the request (${gone.join(", ")}), so it is unknown which account belongs to this request. No account was checked in: each account stays checked out until its lease ends, or until someone checks the account in.`,
      facts: { changedBy: "unknown" },
    };
  }
  const notOurs: NotReturned = {
    text: `${only} was checked out by someone else during the request. ${later}`,
    facts: { changedBy: "someoneElse" },
  };
  const account = (await accountsOrGone({ ...work, context: probeContext(work.context) })).get(only);
  const known = ourBorrower(work.context.connection);
  if (known !== undefined && account !== undefined && account.borrower !== known) return notOurs;
  work.save({ to_return: only, ...(account && { borrower: account.borrower }) });
  const outcome = await checkInAccount(work, only, { byManaging: false, isInDoubt: known === undefined });
  work.save({});
  if (outcome === "not ours") return notOurs;
  if (outcome !== "cannot be told") return undefined;
  return {
    text: `${only} was checked out during the request. Anyone can check in accounts of this set, so it is unknown whether this request checked out the account. ${later}`,
    facts: { changedBy: "unknown" },
  };
}

export async function accountsOrGone(work: ProcedureInput): Promise<Accounts> {
  const accounts = await accountsOf(work);
  if (accounts !== undefined) return accounts;
  throw new ActionableError(`${setName(work)} does not exist.`, [
    manualCheck("Check its name and its mount path."),
  ]);
}

export function newlyGone(before: Accounts, after: Accounts): string[] {
  return [...after].filter(([name, now]) => isNewlyGone(before.get(name), now)).map(([name]) => name);
}
