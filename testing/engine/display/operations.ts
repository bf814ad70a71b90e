import type { Op } from "../events";

interface Words {
  /** Two characters before a line. */
  readonly sign: string;
  /** While the operation runs. */
  readonly doing: string;
  /** After the operation. */
  readonly done: string;
  readonly failed: string;
  /** In a preview. */
  readonly planned: string;
  /** In a preview, after this resource. */
  readonly plannedDone: string;
  /** In a summary. */
  readonly past: string;
}

/** The CLI's words for each operation, in the order of a summary. */
const WORDS: Readonly<Record<Op, Words>> = {
  same: words("  ", "", "", "failed", "", "", "same"),
  create: words("+ ", "creating", "created", "creating failed", "create", "create", "created"),
  update: words("~ ", "updating", "updated", "updating failed", "update", "update", "updated"),
  delete: words("- ", "deleting", "deleted", "deleting failed", "delete", "delete", "deleted"),
  replace: words("+-", "replacing", "replaced", "replacing failed", "replace", "replace", "replaced"),
  "create-replacement": words(
    "++",
    "creating replacement",
    "created replacement",
    "creating failed",
    "create replacement",
    "replace",
    "create-replacementd",
  ),
  "delete-replaced": words(
    "--",
    "deleting original",
    "deleted original",
    "deleting failed",
    "delete original",
    "replace",
    "deleted",
  ),
  read: words("> ", "reading", "read", "reading failed", "read", "read", "read"),
  "read-replacement": words(
    ">>",
    "reading for replacement",
    "read for replacement",
    "reading failed",
    "read for replacement",
    "replace",
    "read-replacementd",
  ),
  refresh: words("~ ", "refreshing", "refresh", "refreshing failed", "refreshing", "refresh", "refreshed"),
  discard: words("< ", "discarding", "discarded", "discarding failed", "discard", "discard", "discarded"),
  "discard-replaced": words(
    "<<",
    "discarding original",
    "discarded original",
    "discarding failed",
    "discard original",
    "replace",
    "discarded",
  ),
  import: words("= ", "importing", "imported", "importing failed", "import", "import", "imported"),
  "import-replacement": words(
    "=>",
    "importing replacement",
    "imported replacement",
    "importing replacement failed",
    "import replacement",
    "import replacement",
    "imported replacement",
  ),
  "remove-pending-replace": words("~ ", "", "", "", "", "", "removed"),
};

function words(
  sign: string,
  doing: string,
  done: string,
  failed: string,
  planned: string,
  plannedDone: string,
  past: string,
): Words {
  return { sign, doing, done, failed, planned, plannedDone, past };
}

/** Every operation, in the order of a summary. The keys of `WORDS` are exactly the operations. */
export const OPERATIONS = Object.keys(WORDS) as readonly Op[];

/**
 * The words for an operation. The CLI's events can contain operations that this engine does not support, such as an import.
 */
export function wordsFor(op: string): Words {
  const known: Readonly<Record<string, Words>> = WORDS;
  return known[op] ?? words("= ", op, op, `${op} failed`, op, op, op);
}

export const isReplacementStep = (op: string): boolean =>
  [
    "replace",
    "create-replacement",
    "delete-replaced",
    "read-replacement",
    "discard-replaced",
    "remove-pending-replace",
  ].includes(op);
