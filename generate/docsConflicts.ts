import { looksBeforeCreate } from "../provider/core/language/creation";
import type { Definition, ObjectLife } from "../provider/core/language/resource";

/** What becomes of a write where somebody else was there first. */
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

/** Whether a program may have what exists already taken over. */
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

/** A service that takes the same object once more for no conflict leaves a window between the look and the write. */
function sameExcepted(life: ObjectLife): string {
  return looksBeforeCreate(life) && life.check?.proof === "repeated"
    ? ", or where somebody made exactly the same between that look and the write: the service tells the two apart as little as we can, and it passes for ours"
    : "";
}
