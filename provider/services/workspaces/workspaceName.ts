import { ActionableError, type BlockedByOthers, ServiceError } from "../../core";
import { isTakenName } from "./service";

/** Another workspace of the organization has the name. */
export const nameTaken: BlockedByOthers = {
  isBlocked: (error) =>
    error instanceof ServiceError
      ? isTakenName(error)
      : error instanceof ActionableError && error.facts.isExisting === true,
  order:
    "if another workspace of this program gives the name up, add that one to dependsOn; if that one is deleted, run pulumi up twice, because deletes come last; to swap two names, use a third one in between",
};
