import { ActionableError, type BlockedByOthers, ServiceError } from "../../core";
import { isTakenName } from "./service";

/** Another workspace of the organization has the name. */
export const nameTaken: BlockedByOthers = {
  isBlocked: (error) =>
    error instanceof ServiceError
      ? isTakenName(error)
      : error instanceof ActionableError && error.facts.isExisting === true,
  order:
    "if another workspace in this program is renamed and frees the name, add that workspace to dependsOn; if that workspace is deleted, run pulumi up twice, because deletes run last; to swap two names, use a temporary third name",
};
