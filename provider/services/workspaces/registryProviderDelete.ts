import type { Address, Observation, Route, Values } from "../../core/define";
import { ServiceError } from "../../core/errors";
import { isObject } from "../../core/json";
import { type StepContext, send } from "../../core/steps/context";
import { errorFrom, isSuccess, observe } from "../../core/steps/observe";
import { nameOf } from "../../core/steps/resource";

/**
 * The delete of a registry provider, by this request, unless the service says that this token may not. An unclear answer is looked at.
 * @throws Error before anything is sent where the right is missing; ServiceError where the service refuses.
 */
export function removalBy(route: Route) {
  return async (
    context: StepContext,
    address: Address,
    _inputs: Values,
    { body }: Observation,
  ): Promise<void> => {
    const { definition, connection } = context;
    const permissions = isObject(body.permissions) ? body.permissions : {};
    if (permissions["can-delete"] === false) {
      throw new Error(
        `${nameOf(definition, address, connection)}: the service says that this token may not delete it (can-delete is false); nothing was sent. It needs the owners team, or the permission to manage the private registry`,
      );
    }
    try {
      const answer = await send(context, route, address, { nature: "write" });
      if (!isSuccess(answer)) throw errorFrom(context, answer, route, address);
    } catch (error) {
      const isOpen = error instanceof ServiceError && (error.unclear || error.status === 404);
      if (isOpen && (await observe(context, address)) === undefined) return;
      throw error;
    }
  };
}
