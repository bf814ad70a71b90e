import {
  ActionableError,
  type Address,
  isObject,
  manualCheck,
  type ObjectHookContext,
  type Observation,
  type Route,
  removeOnce,
  type Value,
  type Values,
} from "../../core";

/**
 * Deletes a registry provider with this request, unless the server reports that this token may not.
 * @throws Error before anything is sent if the right is missing; ServiceError if the server refuses.
 */
export function removalBy(route: Route) {
  return async (
    context: ObjectHookContext,
    address: Address,
    _inputs: Values,
    { body }: Observation,
  ): Promise<void> => {
    const permissions = isObject(body.permissions) ? body.permissions : {};
    if (permissions["can-delete"] === false) {
      throw new ActionableError(
        `${context.name(address)}: the service says that this token may not delete it (can-delete is false); nothing was sent.`,
        [manualCheck("It needs the owners team, or the permission to manage the private registry.")],
        { outcome: "notSent" },
      );
    }
    const warning = versionsWarning(body["version-ids"]);
    if (warning !== undefined) context.log("warning", warning);
    await removeOnce(context, route, address);
  };
}

/** The warning about versions that are deleted with a provider; undefined if it has no versions. */
export function versionsWarning(versionIds: Value | undefined): string | undefined {
  const count = Array.isArray(versionIds) ? versionIds.length : 0;
  if (count === 0) return undefined;
  const versions = count === 1 ? "its version" : `its ${count} versions`;
  return `${versions} will be deleted with it, with all platforms and files: configurations that require the provider can no longer install it`;
}
