import { type BlockedByOthers, ServiceError } from "../../core";

/** A namespace cannot be deleted while something in it has not ended. */
export const namespaceInUse: BlockedByOthers = {
  isBlocked: (error) =>
    error instanceof ServiceError &&
    /namespace "[^"]*" (has (non-terminal (jobs|allocations)|volumes|variables)|contains at least one)/.test(
      error.words,
    ),
  order:
    "if this program also deletes the jobs and variables in the namespace, use the namespace's name output as their namespace, so that they are deleted first",
};

/** A node pool cannot be deleted while it contains nodes, or jobs that have not ended. */
export const nodePoolInUse: BlockedByOthers = {
  isBlocked: (error) =>
    error instanceof ServiceError && /node pool "[^"]*" has (non-terminal jobs|nodes)/.test(error.words),
  order:
    "if this program also deletes the jobs in the node pool, use the node pool's name output in them, so that they are deleted first",
};
