import type { Difference } from "../diff/threeWay";
import {
  ActionableError,
  appendParts,
  editProgram,
  importById,
  inspect,
  type Remedy,
  refreshFirst,
  removeObject,
  rerunUp,
  set,
} from "../http/remedies";
import { ADOPTION } from "../language/adoption";
import type { KnownInputs, Values } from "../language/object";
import { conflictTable, type Secrecy } from "./conflictTable";

/** The details of an object that a create found at its address. */
export interface Existing {
  /** The differences from the program's values, as complete lines. */
  readonly differences: readonly string[];
  /** The properties that differ. */
  readonly properties: readonly string[];
  /** Undefined if the object cannot be adopted. */
  readonly adoption?: Adoption;
  /** Why it is unknown whether this create made the object. */
  readonly doubt?: ActionableError | undefined;
  /** True if this create was sent and rejected; false if it was not sent. */
  readonly isRefused?: boolean;
  /** True if the object is identical to the one that the rejected create would have made. */
  readonly isAlike?: boolean;
}

/** The details for adopting an object that was found. */
export interface Adoption {
  /** The type of the resource: `scheduler:Job`. */
  readonly type: string;
  readonly id: string;
  /** True if the object is identical to the program's object. */
  readonly isIdentical: boolean;
}

/** A create found an object at its address. The program must allow its adoption. */
export class AlreadyExistsError extends ActionableError {
  override readonly name = "AlreadyExistsError";
  constructor(resource: string, existing: Existing) {
    const { differences, adoption, isRefused, isAlike, doubt, properties } = existing;
    super(
      [`${resource} ${describeExisting(existing)}`, ...differences].join("\n"),
      [
        ...(adoption ? remediesByAdoption(adoption) : []),
        removeObject("delete the object, then run pulumi up again", "to replace it"),
        editProgram("change the object's name in the program", "to keep both"),
      ],
      {
        outcome: doubt !== undefined ? "unknown" : isRefused ? "rejected" : "notApplied",
        ...(isRefused && isAlike && { changedBy: "unknown" }),
        isExisting: true,
        properties,
      },
    );
  }
}

function remediesByAdoption({ id, isIdentical, type }: Adoption): Remedy[] {
  const more = " on the resource (its values are then updated to the program's)";
  const all = `pulumi config set ${ADOPTION} identical, then pulumi up again`;
  return [
    set("adopt", true, { to: "to adopt it", more }),
    ...(isIdentical ? [editProgram(all, "to adopt all identical objects")] : []),
    importById(type, id),
  ];
}

function describeExisting({ doubt, isRefused, isAlike }: Existing): string {
  if (doubt !== undefined)
    return `exists. It is unknown whether this create made the object: ${doubt.summary}`;
  if (!isRefused) return "already exists; nothing was written.";
  // A proxy may have sent the rejected create twice, and someone else may have changed the first copy's object since.
  const refused = "already exists; the server rejected the create";
  return isAlike
    ? `${refused}: someone else created an identical object, a proxy sent the request twice, or the result of an earlier create was not saved in the state.`
    : `${refused}.`;
}

/** The object that a step was to change was deleted. */
export class GoneError extends ActionableError {
  override readonly name = "GoneError";
  /** @param isSent true if a request was sent before the deletion was known */
  constructor(resource: string, evidence: string, isSent: boolean) {
    super(
      `${resource} no longer exists: ${evidence}.${isSent ? "" : " Nothing was written."}`,
      [
        refreshFirst(
          "pulumi refresh (which removes the object from the state), then pulumi up",
          "to create it again",
        ),
      ],
      { ...(!isSent && { outcome: "notApplied" }), changedBy: "unknown" },
    );
  }
}

/** A create or an update that was applied in part. The state stores the ID and the live values. */
export class PartialError extends ActionableError {
  override readonly name = "PartialError";
  constructor(
    readonly id: string,
    readonly outputs: Values,
    /** The program's values, as far as the outputs contain them. */
    readonly inputs: KnownInputs,
    readonly reason: Error,
    /** A sentence about the part that succeeded. */
    succeeded?: string,
  ) {
    const error =
      reason instanceof ActionableError ? reason : new ActionableError(reason.message, [rerunUp()]);
    const problem = succeeded ? appendParts(error.problem, succeeded) : error.problem;
    super(problem, error.remedies, error.facts, error);
  }
}

/** This server has no endpoint for a part of an object. This is an error only if a program writes that part. */
export class NotOfferedError extends ActionableError {
  override readonly name = "NotOfferedError";
  constructor(
    /** The program's property. */
    readonly property: string,
    evidence: string,
  ) {
    super(`this server does not support ${property}: ${evidence}.`, [
      editProgram(`remove ${property} from the program; nothing else changes`),
    ]);
  }
}

/** The properties that these differences are in. */
export function propertiesOf(differences: readonly Difference[]): string[] {
  return [...new Set(differences.map(({ path: [name] }) => String(name)))];
}

/** What a conflict is about. */
export interface ConflictDetails {
  /** `Nomad job "default/web"`. */
  readonly resource: string;
  readonly step: "create" | "update" | "delete";
  /** The token that the plan is based on, and the server's current token, if the service has tokens. */
  readonly ourToken?: string | undefined;
  readonly theirToken?: string | undefined;
  readonly differences: readonly Difference[];
  /** The outcome of our own write, if one was sent before the conflict showed. */
  readonly ownWrite?: "applied" | "notApplied" | "unknown" | undefined;
  /** True if a write with an unknown outcome is pending or was sent in this step: the changes may come from that write. */
  readonly isPerhapsOurs?: boolean;
  /**
   * True if the conflict is about properties that the program only starts to manage. They were read and recorded for the
   * first time.
   */
  readonly isFirstLook?: boolean;
  readonly secrecy: Secrecy;
}

/** Someone else changed a value that the program manages. Nothing was overwritten. */
export class ConflictError extends ActionableError {
  override readonly name = "ConflictError";
  constructor(readonly details: ConflictDetails) {
    const { ownWrite = "notApplied", differences } = details;
    super(describeConflict(details), remediesFor(details), {
      outcome: ownWrite,
      changedBy: ownWrite === "applied" ? "someoneElse" : "unknown",
      properties: propertiesOf(differences),
    });
  }

  /** The warning before the program overwrites the changes, worded for a line that already names the resource. */
  get warning(): string {
    const { step, ownWrite, differences, secrecy } = this.details;
    const what =
      ownWrite === "applied"
        ? `someone else changed the object right after your ${step}`
        : `${step === "delete" ? "deleting" : "overwriting"} an object that ${changeIn(this.details, "has values")}`;
    return [`${what} (onConflict: "overwrite"):`, ...conflictTable(differences, secrecy)].join("\n");
  }
}

function describeConflict(details: ConflictDetails): string {
  const { resource, step, ourToken, theirToken, ownWrite, differences, secrecy } = details;
  const outcome =
    ownWrite === "unknown"
      ? `your ${step} was sent before the conflict showed, and its outcome is unknown`
      : "nothing was written";
  const what =
    ownWrite === "applied"
      ? `was changed by someone else right after your ${step}; the server has the other user's values.`
      : `${changeIn(details, "has values")}; ${outcome}.`;
  const known = (ourToken ?? theirToken) === undefined ? [] : [`  ${indexes(ourToken, theirToken)}`];
  return [`conflict: ${resource} ${what}`, ...known, ...conflictTable(differences, secrecy)].join("\n");
}

/** Services without check-and-set have no tokens. Every token is a modify index of Nomad or Consul. */
function indexes(ours: string | undefined, theirs: string | undefined): string {
  const before =
    ours === undefined ? "last read without a modify index" : `last read at modify index ${ours}`;
  const now =
    theirs === undefined ? "the server now returns no index" : `the server is now at index ${theirs}`;
  return `${before}; ${now}`;
}

function changeIn({ isFirstLook, isPerhapsOurs }: ConflictDetails, found: string): string {
  // The age of a value that was never read before is unknown.
  if (isFirstLook) return `already ${found} in properties that the program starts to manage`;
  const by = isPerhapsOurs
    ? "by someone else, or by your own update, whose outcome is unknown"
    : // A write of ours that was killed before its state was saved looks exactly like another user's write.
      "outside this stack (or by a killed command)";
  return `was changed ${by}`;
}

function remediesFor({ step, isFirstLook }: ConflictDetails): readonly Remedy[] {
  // The state now contains the values that were found. The next preview shows them.
  if (isFirstLook)
    return [
      inspect("pulumi preview --diff (the values found are now in the state)"),
      editProgram("update the program to the server's values", "to accept theirs"),
      { kind: "again", text: "pulumi up", to: "to keep yours" },
    ];
  const preview = inspect("pulumi refresh --preview-only");
  // A delete may come from a `pulumi up` without the resource, so the remedy must not be `pulumi destroy` of the stack.
  if (step === "delete")
    return [
      preview,
      editProgram("keep the resource in the program, or run pulumi state delete with its URN", "to keep it"),
      refreshFirst("pulumi refresh, then run the same command again", "to delete it"),
    ];
  return [
    preview,
    editProgram("pulumi refresh, then update the program to the server's values", "to accept theirs"),
    refreshFirst("pulumi refresh, then pulumi up", "to keep yours"),
    set("onConflict", "overwrite", { to: "to keep yours", more: " on the resource" }),
  ];
}
