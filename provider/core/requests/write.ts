import { ServiceError } from "../http/errors";
import type { HttpAnswer } from "../http/request";
import { ONLY_IF_ABSENT } from "../language/checkAndSet";
import type { ObjectContext } from "../language/contexts";
import type { Address } from "../language/object";
import type { Route } from "../language/route";
import { isObject, type Json } from "../value/json";
import { errorFrom, isSuccess } from "./observe";
import { send } from "./send";

/** How one write went. */
export type Outcome =
  | { readonly kind: "done"; readonly answer: HttpAnswer }
  /** The service's check refused it: somebody was faster. */
  | { readonly kind: "lost"; readonly answer: HttpAnswer }
  /** The service refused to create what exists. */
  | { readonly kind: "exists"; readonly answer: HttpAnswer }
  /** It may or may not have happened: look, before anything else. `sent` tells whether the service answered at all. */
  | { readonly kind: "unclear"; readonly error: Error; readonly answered: boolean };

/** One write, sent once. */
export interface Write {
  readonly route: Route;
  readonly address: Address;
  readonly body?: { [member: string]: Json };
  readonly inputs: Readonly<Record<string, Json>>;
  /** The check-and-set token; "0" for "only if absent". Ignored where the service has none. */
  readonly token?: string | undefined;
}

/**
 * Sends a write and says how it went. Everything that proves that nothing happened is thrown.
 * @throws ServiceError where the service refused the write, or could not be reached.
 */
export async function sendWrite(context: ObjectContext, write: Write): Promise<Outcome> {
  const { definition, connection } = context;
  const { checkAndSet } = definition;
  const checked = checkAndSet && write.token !== undefined ? checkAndSet.carry(write.token) : {};
  const steer = write.route.steer?.(write.inputs) ?? {};
  const { dialect } = connection;
  const wrapped = write.body && (definition.wrap?.(write.body, { ...write, dialect }) ?? write.body);
  const extra = { ...steer.body, ...checked.body };
  const own = wrapped ?? (steer.body && {});
  const body = own !== undefined && isObject(own) ? { ...own, ...extra } : own;
  let answer: HttpAnswer;
  try {
    answer = await send(context, write.route, write.address, {
      nature: "write",
      query: { ...steer.query, ...checked.query },
      ...(body !== undefined && { body }),
    });
  } catch (error) {
    if (error instanceof ServiceError && error.unclear) return { kind: "unclear", error, answered: false };
    throw error;
  }
  if (checkAndSet?.lost(answer)) return { kind: "lost", answer };
  if (isSuccess(answer)) return { kind: "done", answer };
  if (write.token === ONLY_IF_ABSENT && definition.createRefusesExisting?.(answer))
    return { kind: "exists", answer };
  const error = errorFrom(context, answer, write.route, write.address);
  if (answer.status >= 500) return { kind: "unclear", error, answered: true };
  throw error;
}
