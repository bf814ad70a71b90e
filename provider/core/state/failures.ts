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
import type { Values } from "../language/object";

/** What a create that found something in its place tells. */
export interface Existing {
  /** How it differs from what the program writes, whole lines. */
  readonly differences: readonly string[];
  /** Where it may be taken over at all. */
  readonly adoption?: Adoption;
  /** Why it is not known whether this create made it itself. */
  readonly doubt?: AdvisedError | undefined;
  /** Whether this create was sent, and refused; else it was not sent. */
  readonly isRefused?: boolean;
  /** Whether it is just what this create, which was refused, would have made. */
  readonly isAlike?: boolean;
}

/** What can be said of taking over what was found. */
export interface Adoption {
  readonly id: string;
  /** Whether it is just what the program writes. */
  readonly isIdentical: boolean;
}

/** An object that a create found in its place; the program must say that it may be taken over. */
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
  // What was refused may have been sent twice on the way, and what the first made be somebody's by now.
  const refused = "already exists, so that this create was refused";
  return isAlike
    ? `${refused}: somebody made the same, something on the way sent it twice, or an earlier create of ours is in no state.`
    : `${refused}.`;
}

/** The object that a step was to change is gone. */
export class GoneError extends AdvisedError {
  override readonly name = "GoneError";
  constructor(
    readonly resource: string,
    evidence: string,
    /** Whether something was sent before it was known to be gone. */
    isSent: boolean,
  ) {
    super(`${resource} is gone: ${evidence}.${isSent ? "" : " Nothing was written."}`, [
      refreshFirst("pulumi refresh (which drops it from the state), then pulumi up", "to make it again"),
    ]);
  }
}

/** A create or an update that happened in part: the state keeps the id and what is live. */
export class PartialError extends AdvisedError {
  override readonly name = "PartialError";
  constructor(
    readonly id: string,
    readonly outputs: Values,
    /** What the program wrote, as far as the outputs are of it. */
    readonly inputs: Values,
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

/** A part of an object for which this server has no endpoint. Only where a program writes that part is it an error. */
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

/** How much of what two texts share is shown before the place where they differ. */
const BEFORE = 20;

/** A text that is too long to be shown, cut around the place where it begins to differ from another. */
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

/** A part of a text that begins and ends with whole characters. */
function whole(text: string, from: number, to: number): string {
  const isSecondHalf = (at: number) => /[\uDC00-\uDFFF]/.test(text[at] ?? "");
  return text.slice(isSecondHalf(from) ? from + 1 : from, isSecondHalf(to) ? to - 1 : to);
}
