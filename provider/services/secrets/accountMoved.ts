import { type BlockedByOthers, ServiceError } from "../../core";

/** The LDAP engine manages an account in one library set or one static role only. */
export const accountMoved: BlockedByOthers = {
  isBlocked: (error) => error instanceof ServiceError && /already managed by/i.test(error.words),
  order:
    "if another resource of this program gives the account up, add that one to dependsOn; if that one is deleted, run pulumi up twice, because deletes come last: first without the account here",
};
