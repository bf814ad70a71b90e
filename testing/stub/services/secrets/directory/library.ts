import type { StubResponse } from "../../../service";
import { absent, invalid, serverError } from "../errors";
import { answer, answerKeys, type Endpoint, NO_CONTENT } from "../operation";
import { checkOutOf } from "./check-outs";
import { type DirectoryOperation, isInDirectory } from "./operation";
import type { LibrarySet } from "./records";

/** Library sets: create or update in place, read, list, delete. */
export const libraryEndpoints: readonly Endpoint<DirectoryOperation>[] = [
  { path: "library", list: (operation) => answerKeys(operation, operation.data.sets) },
  { path: "library/:name", read, write, remove },
];

/** Names "must exist in the directory" and be "in one set only"; a checked-out account cannot be removed. */
function write(operation: DirectoryOperation): StubResponse {
  const { params, fields, data, switches } = operation;
  const name = params.name ?? "";
  const before = data.sets.get(name);
  const set: LibrarySet = {
    accounts: fields.list("service_account_names") ?? before?.accounts ?? [],
    ttl: fields.duration("ttl") ?? before?.ttl ?? DAY,
    maxTtl: fields.duration("max_ttl") ?? before?.maxTtl ?? DAY,
    checkInIsFree: fields.boolean("disable_check_in_enforcement") ?? before?.checkInIsFree ?? false,
  };
  if (set.accounts.length === 0) throw invalid('"service_account_names" must be provided');
  if (set.maxTtl > 0 && set.ttl > set.maxTtl) throw invalid("max_ttl may not be less than ttl");
  for (const account of set.accounts) {
    const other = [...data.sets].find(([key, { accounts }]) => key !== name && accounts.includes(account));
    if (other !== undefined) throw invalid(`"${account}" is already managed by the set "${other[0]}"`);
    if (!isInDirectory(operation, account)) {
      throw serverError(
        switches.dialect === "real"
          ? "expected one matching entry, but received 0"
          : `"${account}" does not exist in the directory`,
      );
    }
  }
  for (const account of before?.accounts ?? []) {
    if (!set.accounts.includes(account)) refuseCheckedOut(operation, account);
  }
  data.sets.set(name, set);
  return NO_CONTENT;
}

function read(operation: DirectoryOperation): StubResponse {
  const set = operation.data.sets.get(operation.params.name ?? "");
  if (set === undefined) throw absent();
  return answer(operation, {
    service_account_names: set.accounts,
    ttl: set.ttl,
    max_ttl: set.maxTtl,
    disable_check_in_enforcement: set.checkInIsFree,
  });
}

function remove(operation: DirectoryOperation): StubResponse {
  const { params, data } = operation;
  for (const account of data.sets.get(params.name ?? "")?.accounts ?? [])
    refuseCheckedOut(operation, account);
  data.sets.delete(params.name ?? "");
  return NO_CONTENT;
}

function refuseCheckedOut(operation: DirectoryOperation, account: string): void {
  if (checkOutOf(operation, account) !== undefined) {
    // Vault's message ends in an unmatched quotation mark.
    const end = operation.switches.dialect === "real" ? "'" : "";
    throw invalid(`"${account}" can't be deleted because it is currently checked out${end}`);
  }
}

/** The default of `ttl` and `max_ttl`. */
const DAY = 86_400;
