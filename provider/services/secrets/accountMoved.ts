import { type BlockedByOthers, ServiceError } from "../../core";

/** The LDAP engine manages an account in one library set or one static role only. */
export const accountMoved: BlockedByOthers = {
  isBlocked: (error) => error instanceof ServiceError && /already managed by/i.test(error.words),
  order:
    "if another resource of this program releases the account, add that resource to dependsOn; if you delete that resource, run pulumi up twice (deletes run last), first without the account in this resource",
};
