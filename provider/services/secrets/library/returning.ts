import {
  ActionableError,
  again,
  errorFrom,
  isObject,
  isSuccess,
  type Json,
  type ProcedureInput,
  probeAfter,
  type Route,
  sendOnce,
  set,
} from "../../../core";
import { accountsOf, isOpenToAll, setName } from "./status";

const answers = ["check_ins"] as const;
const own: Route = { method: "POST", path: "/{+mount}/library/{setName}/check-in", expects: answers };
const managed: Route = {
  method: "POST",
  path: "/{+mount}/library/manage/{setName}/check-in",
  expects: answers,
};

/** The options of a check-in. */
interface CheckIn {
  /** Use the privileged path, which also accepts accounts that another token has checked out. */
  readonly byManaging: boolean;
  /** True if someone else may have the account. Then only a server that enforces the borrower may decide. */
  readonly isInDoubt?: boolean;
}

/**
 * Checks one account in. Reads the status after a lost response, and after a response that does not list the account.
 * @returns whether the account was returned, or else the server's reason
 * @throws Error if the account is still checked out afterward, or if the outcome is unknown.
 */
export async function checkInAccount(
  work: ProcedureInput,
  account: string,
  { byManaging, isInDoubt = false }: CheckIn,
): Promise<"returned" | "not ours" | "cannot be told"> {
  const { context, address } = work;
  if (isInDoubt && (await isOpenToAll(work))) return "cannot be told";
  const route = byManaging ? managed : own;
  const { answer, lost } = await sendOnce(context, route, address, { service_account_names: [account] });
  if (answer !== undefined && isSuccess(answer) && namesIn(answer.json ?? null).includes(account))
    return "returned";
  const look = async (asking: ProcedureInput["context"]) => {
    const found = (await accountsOf({ ...work, context: asking }))?.get(account);
    return { isApplied: found === undefined || found.isAvailable, found };
  };
  const now = lost ? await probeAfter(context, lost, look) : (await look(context)).found;
  if (now === undefined || now.isAvailable) return "returned";
  if (lost) throw lost;
  if (answer.status === 400 && /wasn't checked out by the caller/.test(answer.text)) return "not ours";
  if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
  throw new ActionableError(
    `${setName(work)}: the server accepted the check-in of ${account}, but the account is still checked out, at most until its lease ends.`,
    [again(), set("manage", true, { more: " to use the privileged manage path" })],
  );
}

function namesIn(answer: Json): readonly Json[] {
  const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
  return Array.isArray(data.check_ins) ? data.check_ins : [];
}
