import { ActionableError, manualCheck, rerunUp } from "../../core";

/** The error of a wait for an object that a response does not contain. */
export function notInResponse(name: string): ActionableError {
  return new ActionableError(
    `${name}: a response does not contain it.`,
    [
      manualCheck("Check that the configured address is the address of the HCP Terraform server."),
      rerunUp(" to continue waiting"),
    ],
    { outcome: "applied" },
  );
}
