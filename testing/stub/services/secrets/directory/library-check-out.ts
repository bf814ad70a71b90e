import type { StubResponse } from "../../../service";
import { invalid } from "../errors";
import { answer, type Endpoint, issueLease } from "../operation";
import { borrowerToken, checkOutOf, isBorrower, theSet } from "./check-outs";
import { type DirectoryOperation, newPassword } from "./operation";

/** The state table "Library service account". */
export const checkOutEndpoints: readonly Endpoint<DirectoryOperation>[] = [
  { path: "library/:name/status", read: status },
  { path: "library/:name/check-out", parameters: ["ttl"], write: checkOut },
  {
    path: "library/:name/check-in",
    parameters: ["service_account_names"],
    write: (operation) => checkIn(operation, false),
  },
  {
    path: "library/manage/:name/check-in",
    parameters: ["service_account_names"],
    write: (operation) => checkIn(operation, true),
    isPrivileged: true,
  },
];

function status(operation: DirectoryOperation): StubResponse {
  const entries = theSet(operation).accounts.map((account) => {
    const taken = checkOutOf(operation, account);
    if (taken === undefined) return [account, { available: true }];
    const entity = taken.borrowerEntity === "" ? {} : { borrower_entity_id: taken.borrowerEntity };
    return [account, { available: false, borrower_client_token: taken.borrowerToken, ...entity }];
  });
  return answer(operation, Object.fromEntries(entries));
}

/** "Lease issued with ttl (requested ttl capped at the set's ttl)"; 0 is unlimited. */
function checkOut(operation: DirectoryOperation): StubResponse {
  const { data, fields, request, token, params } = operation;
  const set = theSet(operation);
  const account = set.accounts.find((candidate) => checkOutOf(operation, candidate) === undefined);
  if (account === undefined) throw invalid("No service accounts available for check-out.");
  const wanted = fields.duration("ttl") ?? set.ttl;
  const seconds = set.ttl === 0 ? wanted : Math.min(wanted === 0 ? set.ttl : wanted, set.ttl);
  const password = newPassword(operation);
  data.checkOuts.set(account, {
    borrowerToken: borrowerToken(operation),
    borrowerEntity: token.entityId,
    until: seconds === 0 ? null : request.now + seconds * 1000,
  });
  return answer(
    operation,
    { password, service_account_name: account },
    issueLease(operation, `library/${params.name}/check-out`, seconds),
  );
}

/** The response lists the accounts that it checked in; "an account already in is a success without being listed". */
function checkIn(operation: DirectoryOperation, isForced: boolean): StubResponse {
  const { data, fields } = operation;
  const set = theSet(operation);
  const named = fields.list("service_account_names") ?? [];
  const foreign = named.find((account) => !set.accounts.includes(account));
  if (foreign !== undefined) throw invalid(`"${foreign}" is not in this set`);
  const mayReturn = (account: string) => {
    const taken = checkOutOf(operation, account);
    return taken !== undefined && (isForced || set.checkInIsFree || isBorrower(operation, taken));
  };
  const returnable = set.accounts.filter(mayReturn);
  if (named.length === 0 && returnable.length > 1) {
    throw invalid('"service_account_names" must be provided when several are checked out');
  }
  const returned = (named.length === 0 ? returnable : named).filter((account) => {
    if (checkOutOf(operation, account) === undefined) return false;
    if (mayReturn(account)) return true;
    throw invalid(`"${account}" can't be checked in because it wasn't checked out by the caller`);
  });
  for (const account of returned) data.checkOuts.delete(account);
  return answer(operation, { check_ins: returned });
}
