import {
  type Address,
  type BlockedByOthers,
  del,
  deletes,
  editProgram,
  get,
  isSuccess,
  manualCheck,
  type ObjectHookContext,
  removeOnce,
  ServiceError,
  send,
  stringsIn,
} from "../../core";
import { keysAt, secrets } from "./service";

const method = del("/identity/mfa/method/extidp/{methodId}");
const { route: enforcements } = keysAt("/identity/mfa/login-enforcement");
const enforcement = get("/identity/mfa/login-enforcement/{name}");

/** The delete of a method. */
export const methodDeletion = deletes(method, { perform: removeMethod });

/**
 * Deletes a method, and probes after an unknown outcome. If the server refuses because the method is still used, the error
 * names the enforcements that use it.
 */
async function removeMethod(context: ObjectHookContext, address: Address): Promise<void> {
  try {
    await removeOnce(context, method, address);
  } catch (error) {
    throw isStillUsed(error) ? await naming(context, address, error) : error;
  }
}

/** A method cannot be deleted while an enforcement uses it. */
export const usedMethod: BlockedByOthers = {
  isBlocked: isStillUsed,
  order:
    "if this program also deletes or changes the login enforcement, use the method's methodId output in the login enforcement",
};

function isStillUsed(error: unknown): error is ServiceError {
  return error instanceof ServiceError && /still used/i.test(error.words);
}

/** The refusal, with the names of the enforcements in this namespace that use the method. */
async function naming(
  context: ObjectHookContext,
  address: Address,
  refusal: ServiceError,
): Promise<ServiceError> {
  const names = await usersOf(context, address).catch(() => []);
  if (names.length === 0) return refusal;
  const each = names.map((name) => JSON.stringify(name)).join(", ");
  return refusal.addRemedies(
    manualCheck(
      `The login enforcement${names.length === 1 ? "" : "s"} ${each} still use${names.length === 1 ? "s" : ""} the method.`,
    ),
    editProgram(
      `first remove the method from ${names.length === 1 ? "that enforcement" : "those enforcements"}`,
    ),
    editProgram(`delete ${names.length === 1 ? "that enforcement" : "those enforcements"}`),
  );
}

async function usersOf(context: ObjectHookContext, { methodId, ...there }: Address): Promise<string[]> {
  const listed = await send(context, enforcements, there, { nature: "read" });
  const { keys } = isSuccess(listed) ? secrets.unwrap(listed.json ?? null) : {};
  const users: string[] = [];
  for (const name of stringsIn(keys)) {
    const answer = await send(context, enforcement, { ...there, name }, { nature: "read" });
    const { mfa_method_ids: ids } = isSuccess(answer) ? secrets.unwrap(answer.json ?? null) : {};
    if (Array.isArray(ids) && ids.some((id) => id === methodId)) users.push(name);
  }
  return users;
}
