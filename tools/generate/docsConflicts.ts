import { readsBeforeCreate } from "../../provider/core/language/creation";
import type { Definition, ObjectLifecycle } from "../../provider/core/language/resource";

/** The sentences about a write that conflicts with a change by someone else. */
export function conflictSentences(definition: Definition): string[] {
  return [
    checkSentences(definition),
    ...creationSentences(definition),
    'On a conflict nothing is written, and the error lists each field (base, ours, theirs). To overwrite the other change, set `onConflict: "overwrite"`.',
  ];
}

/** Whether the server checks a write, and what Quarterdeck does if it does not. */
function checkSentences({ life: { check, writes } }: Definition): string {
  if (check !== undefined) return `Creates and updates use check-and-set on \`${check.token}\`.`;
  const reread =
    "Quarterdeck re-reads the object right before each write and compares it with its last known state.";
  if (writes.precondition === undefined)
    return `The API has no check-and-set. ${reread} A short race window remains.`;
  const { servers = "The server", undetected } = writes.precondition;
  const checked = `${reread} ${servers} also rejects the write if the object changed after that read.`;
  return undetected === undefined
    ? `${checked} Other servers have no check-and-set: a short race window remains.`
    : `${checked} ${undetected} do not fail this check: for them, a short race window remains.`;
}

/** True if a program can adopt an existing object. */
export function canAdopt({ fields }: Definition): boolean {
  return "adopt" in fields;
}

function creationSentences(definition: Definition): string[] {
  const { life } = definition;
  const looks = readsBeforeCreate(life);
  const existing = canAdopt(definition)
    ? "An existing object is an error, unless `adopt` is set."
    : "An existing object is always an error.";
  const look = looks ? ["A create first checks whether the object exists."] : [];
  if (life.check)
    return [...look, `A create succeeds only if the object does not exist.${sameExcepted(life)}`, existing];
  if (life.creation.existing?.by === "rejection")
    return [...look, "The server rejects the create of an existing object.", existing];
  return ["A create first checks whether the object exists.", existing];
}

/**
 * The exception for a server that reports no conflict for an identical object: a window remains between the check and the
 * write.
 */
function sameExcepted(life: ObjectLifecycle): string {
  return readsBeforeCreate(life) && life.check?.proof === "repeated"
    ? " It also succeeds if someone else creates an identical object between the check and the write, because the server cannot distinguish the two."
    : "";
}
