import { createHash } from "node:crypto";
import { invalid } from "../errors";
import type { DirectoryOperation } from "./operation";
import type { CheckOut, LibrarySet } from "./records";

/** The borrower of the account; undefined if it is available, also because its check-out has expired. */
export function checkOutOf({ data, request }: DirectoryOperation, account: string): CheckOut | undefined {
  const checkOut = data.checkOuts.get(account);
  if (checkOut === undefined || checkOut.until === null || request.now < checkOut.until) return checkOut;
  data.checkOuts.delete(account);
  return undefined;
}

/** The set in the path; throws a 400 if it is unknown. */
export function theSet({ data, params }: DirectoryOperation): LibrarySet {
  const set = data.sets.get(params.name ?? "");
  if (set === undefined) throw invalid(`"${params.name}" doesn't exist`);
  return set;
}

/** True if the caller is the borrower: compared by entity if either has one, else by token. */
export function isBorrower(operation: DirectoryOperation, checkOut: CheckOut): boolean {
  const { entityId } = operation.token;
  if (entityId !== "" || checkOut.borrowerEntity !== "") return entityId === checkOut.borrowerEntity;
  return checkOut.borrowerToken === borrowerToken(operation);
}

/** The caller's token as a status shows it: hashed with a salt, so that no one can use it. */
export function borrowerToken({ tokenText }: DirectoryOperation): string {
  return createHash("sha256").update(`borrower ${tokenText}`).digest("hex").slice(0, 40);
}
