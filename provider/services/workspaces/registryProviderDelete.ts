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
 * @throws Error before anything is sent if the permission is missing; ServiceError if the server refuses.
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
        `${context.name(address)}: this token lacks the permission to delete the provider (the server returns can-delete: false); nothing was sent.`,
        [
          manualCheck(
            "The token needs membership of the owners team, or the Manage Private Registry permission.",
          ),
        ],
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
  return `${versions} will also be deleted, with all platforms and files; configurations that require the provider can then no longer install the provider`;
}
