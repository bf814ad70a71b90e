import { looksBeforeCreate } from "../../provider/core/language/creation";
import type { Definition, ObjectLife } from "../../provider/core/language/resource";

/** The sentences about a write that conflicts with a change by someone else. */
export function conflictSentences(definition: Definition): string[] {
  const { check } = definition.life;
  const checked =
    check === undefined
      ? [
          "The service has no check-and-set, so the object is read just before each write, and compared with what was last seen; the window between that look and the write remains.",
        ]
      : [
          `Every create and every update is checked by the service itself, against \`${check.token}\` as it was last seen.`,
        ];
  return [
    ...checked,
    ...creationSentences(definition),
    'Where somebody else changed what this resource manages, nothing is written, and the error names each field with its base, ours and theirs. `onConflict: "overwrite"` insists.',
  ];
}

/** True if a program can adopt an existing object. */
export function canAdopt({ fields }: Definition): boolean {
  return "adopt" in fields;
}

function creationSentences(definition: Definition): string[] {
  const { life } = definition;
  const looks = looksBeforeCreate(life);
  const existing = canAdopt(definition)
    ? "What exists already is an error, unless `adopt` takes it over."
    : "What exists already is an error, and is never taken over.";
  const look = looks ? ["A create looks first whether anything is there."] : [];
  if (life.check)
    return [...look, `A create succeeds only where nothing is there${sameExcepted(life)}.`, existing];
  if (life.creation.existing?.by === "a refusal")
    return [...look, "The service refuses to create what exists.", existing];
  return ["A create looks first whether the object is there.", existing];
}

/**
 * The exception for a server that reports no conflict for an identical object: a window remains between the check and the
 * write.
 */
function sameExcepted(life: ObjectLife): string {
  return looksBeforeCreate(life) && life.check?.proof === "repeated"
    ? ", or where somebody made exactly the same between that look and the write: the service tells the two apart as little as we can, and it passes for ours"
    : "";
}
