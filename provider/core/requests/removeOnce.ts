import { NotFound } from "../http/errors";
import type { HttpAnswer, HttpRequest } from "../http/request";
import type { Address } from "../language/object";
import type { Route } from "../language/route";
import type { ObjectHookContext } from "../language/stepInput";
import type { Json } from "../value/json";
import { doubtError } from "./doubt";
import { send } from "./send";
import { type IsAnswered, sendOnceAndLook } from "./sendOnce";

/** How the removal of an object differs from a plain request. */
export interface Removal extends IsAnswered {
  readonly body?: Json;
  readonly repeatWhile?: HttpRequest["repeatWhile"];
  /** Whether a refusal says that there was nothing left to do. */
  isDoneAlready?(answer: HttpAnswer): boolean;
  /** Whether the object is gone; by itself, whether it is proven gone. */
  isGone?(context: ObjectHookContext): Promise<boolean>;
}

/**
 * Removes an object by one request. An unclear answer is looked at, and so is one that does not find it.
 * @throws ServiceError where the service refuses; Error where it is not known whether it was removed.
 */
export async function removeOnce(
  context: ObjectHookContext,
  route: Route,
  address: Address,
  { body, repeatWhile, isDoneAlready, isAnswered, isGone = goneByLook(address) }: Removal = {},
): Promise<void> {
  try {
    const outcome = await sendOnceAndLook<ObjectHookContext, undefined, "done already">(context, {
      route,
      address,
      send: (asking) =>
        send(asking, route, address, {
          nature: "write",
          ...(body !== undefined && { body }),
          ...(repeatWhile && { repeatWhile }),
        }),
      means: (answer) => (isDoneAlready?.(answer) ? "done already" : undefined),
      ...(isAnswered && { isAnswered }),
      look: async (asking) => ({ happened: await isGone(asking), found: undefined }),
      harmsLate: true,
    });
    if (outcome.kind === "not shown" || outcome.kind === "open") throw doubtError(outcome);
  } catch (error) {
    if (!(error instanceof NotFound && (await isGone(context)))) throw error;
  }
}

function goneByLook(address: Address): (context: ObjectHookContext) => Promise<boolean> {
  return async (context) => (await context.observe(address)) === undefined;
}
