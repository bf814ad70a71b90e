import type { PendingOperation } from "../../state/resource";

/** The CLI's warning about operations that an earlier run began and did not finish. */
export function pendingWarning(operations: readonly PendingOperation[]): string {
  const list = operations.map(({ resource, type }) => `  * ${resource.urn}, interrupted while ${type}\n`);
  return (
    `Attempting to deploy or update resources with ${operations.length} pending operations from previous ` +
    `deployment.\n${list.join("")}` +
    "These resources are in an unknown state because the Pulumi CLI was interrupted while waiting for changes " +
    "to these resources to complete. You should confirm whether or not the operations listed completed " +
    "successfully by checking the state of the appropriate provider. For example, if you are using AWS, you can " +
    "confirm using the AWS Console.\n\n" +
    "Once you have confirmed the status of the interrupted operations, you can repair your stack using " +
    "`pulumi refresh` which will refresh the state from the provider you are using and clear the pending " +
    "operations if there are any.\n\n" +
    "Note that `pulumi refresh` will need to be run interactively to clear pending CREATE operations."
  );
}
