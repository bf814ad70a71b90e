import { ServiceError } from "../../core/http/errors";
import type { ObjectAsking } from "../../core/language/asking";
import type { Address, Observation, Values } from "../../core/language/object";
import type { Route } from "../../core/language/route";
import { errorFrom, isSuccess } from "../../core/requests/observe";
import { send } from "../../core/requests/send";
import { isObject } from "../../core/value/json";

/**
 * The delete of a registry provider, by this request, unless the service says that this token may not. An unclear answer is looked at.
 * @throws Error before anything is sent where the right is missing; ServiceError where the service refuses.
 */
export function removalBy(route: Route) {
  return async (
    context: ObjectAsking,
    address: Address,
    _inputs: Values,
    { body }: Observation,
  ): Promise<void> => {
    const permissions = isObject(body.permissions) ? body.permissions : {};
    if (permissions["can-delete"] === false) {
      throw new Error(
        `${context.name(address)}: the service says that this token may not delete it (can-delete is false); nothing was sent. It needs the owners team, or the permission to manage the private registry`,
      );
    }
    try {
      const answer = await send(context, route, address, { nature: "write" });
      if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
    } catch (error) {
      const isOpen = error instanceof ServiceError && (error.unclear || error.status === 404);
      if (isOpen && (await context.look(address)) === undefined) return;
      throw error;
    }
  };
}
