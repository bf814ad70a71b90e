import {
  AdvisedError,
  edited,
  refreshFirst,
  removed,
  set,
  upAgain,
  type WayOn,
  waysOf,
} from "../http/waysOn";
import { ADOPTION } from "../language/adoption";
import type { KnownInputs, Values } from "../language/object";

/** The details of an object that a create found at its address. */
export interface Existing {
  /** The differences from the program's values, as complete lines. */
  readonly differences: readonly string[];
  /** Undefined if the object cannot be adopted. */
  readonly adoption?: Adoption;
  /** Why it is unknown whether this create made the object. */
  readonly doubt?: AdvisedError | undefined;
  /** True if this create was sent and rejected; false if it was not sent. */
  readonly isRefused?: boolean;
  /** True if the object is identical to the one that the rejected create would have made. */
  readonly isAlike?: boolean;
}

/** The details for adopting an object that was found. */
export interface Adoption {
  readonly id: string;
  /** True if the object is identical to the program's object. */
  readonly isIdentical: boolean;
}

/** A create found an object at its address. The program must allow its adoption. */
export class AlreadyExistsError extends AdvisedError {
  override readonly name = "AlreadyExistsError";
  constructor(
    readonly resource: string,
    existing: Existing,
  ) {
    const { differences, adoption } = existing;
    super([`${resource} ${foundAs(existing)}`, ...differences].join("\n"), [
      ...(adoption ? waysToAdopt(adoption) : []),
      removed("remove the object, then pulumi up again", "to replace it"),
      edited("give the resource another name", "to leave it"),
    ]);
  }
}

const ADOPT: WayOn = set("adopt", true, {
  to: "to take it over",
  more: " on the resource (what the program writes is then brought about as an update)",
});

function waysToAdopt({ id, isIdentical }: Adoption): WayOn[] {
  return [
    ADOPT,
    ...(isIdentical
      ? [edited(`pulumi config set ${ADOPTION} identical, then pulumi up again`, "to take over all like it")]
      : []),
    { kind: "import", id, to: "to import it", more: ", with the provider plugin" },
  ];
}

function foundAs({ doubt, isRefused, isAlike }: Existing): string {
  if (doubt !== undefined) return `exists. Whether this create made it is not known: ${doubt.told}`;
  if (!isRefused) return "already exists; nothing was written.";
  // A proxy may have sent the rejected create twice, and someone else may have changed the first copy's object since.
  const refused = "already exists, so that this create was refused";
  return isAlike
    ? `${refused}: somebody made the same, something on the way sent it twice, or an earlier create of ours is in no state.`
    : `${refused}.`;
}

/** The object that a step was to change was deleted. */
export class GoneError extends AdvisedError {
  override readonly name = "GoneError";
  constructor(
    readonly resource: string,
    evidence: string,
    /** True if a request was sent before the deletion was known. */
    isSent: boolean,
  ) {
    super(`${resource} is gone: ${evidence}.${isSent ? "" : " Nothing was written."}`, [
      refreshFirst("pulumi refresh (which drops it from the state), then pulumi up", "to make it again"),
    ]);
  }
}

/** A create or an update that was applied in part. The state stores the id and the live values. */
export class PartialError extends AdvisedError {
  override readonly name = "PartialError";
  constructor(
    readonly id: string,
    readonly outputs: Values,
    /** The program's values, as far as the outputs contain them. */
    readonly inputs: KnownInputs,
    readonly reason: Error,
  ) {
    const isAdvised = reason instanceof AdvisedError;
    super(
      isAdvised ? reason.what : reason.message,
      waysOf(reason) ?? [upAgain()],
      isAdvised ? reason.end : "",
    );
  }
}

/** This server has no endpoint for a part of an object. This is an error only if a program writes that part. */
export class NotOfferedError extends AdvisedError {
  override readonly name = "NotOfferedError";
  constructor(
    /** The program's property. */
    readonly property: string,
    evidence: string,
  ) {
    super(`${property}: this server does not offer it: ${evidence}.`, [
      edited(`drop ${property} from the program; nothing else is touched by that`),
    ]);
  }
}

/** The number of shared characters that an excerpt shows before the first difference. */
const BEFORE = 20;

/** A text, cut around its first difference from another text if it is too long to show. */
export function excerpt(text: string, other: string | undefined, longest: number): string {
  if (text.length <= longest) return text;
  const differs = other === undefined || other === text ? 0 : sharedStart(text, other);
  const last = text.length - (longest - 1);
  const start = Math.min(Math.max(differs - BEFORE, 0), last);
  if (start === 0) return `${whole(text, 0, longest - 1)}…`;
  if (start === last) return `…${whole(text, start, text.length)}`;
  return `…${whole(text, start, start + longest - 2)}…`;
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** A part of a text that starts and ends with complete characters. */
function whole(text: string, from: number, to: number): string {
  const isSecondHalf = (at: number) => /[\uDC00-\uDFFF]/.test(text[at] ?? "");
  return text.slice(isSecondHalf(from) ? from + 1 : from, isSecondHalf(to) ? to - 1 : to);
}
