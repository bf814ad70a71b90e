import { differencesIn } from "../compare/comparison";
import { type Model, modelOfBody } from "../compare/model";
import { type Movement, movementsIn } from "../compare/movements";
import type { Address, KnownInputs, Observation } from "../language/object";
import { goneProofOf } from "../language/reads";
import type { Definition, ObjectContext } from "../language/resource";
import { type LinksToRead, observe } from "../requests/observe";
import { type ConflictDetails, ConflictError, overwriting } from "../state/conflict";
import { GoneError } from "../state/failures";
import { pendingInputs, type Records } from "../state/records";
import { secretMapOf } from "../state/redaction";
import { sameInDocument } from "../value/equality";
import { formatPath, lookUp } from "../value/path";
import { comparisonOf, unreadLinks } from "./planned";
import { resolvePending } from "./write/pending";
import { type PostWrite, partial } from "./write/result";

/**
 * Returns the records with the object as just read, after a check that no one else changed a managed value.
 * @param after the facts about an earlier write with an unknown outcome
 */
export function reconcile(
  context: ObjectContext,
  before: Records,
  inputs: KnownInputs,
  current: Observation,
  { isUnclear = false, isPerhapsOurs = pendingInputs(before) !== undefined }: After = {},
): Records {
  const { definition } = context;
  const now = modelOfBody(definition, current.body, inputs);
  const records = resolvePending(definition, before, current);
  const moved = movementsSince(definition, records, inputs, now);
  const movements = context.step === "delete" ? moved.filter((movement) => !helpsDelete(movement)) : moved;
  if (movements.length > 0) {
    const properties = new Set(movements.map(({ path: [name] }) => name));
    const names = unreadLinks(definition, records).filter((name) => properties.has(name));
    const error = conflict(context, records, inputs, current, movements, {
      isFirstLook: movements.every(({ path }) => names.includes(String(path[0]))),
      afterUnclear: isUnclear,
      isPerhapsOurs,
    });
    if (inputs.onConflict !== "overwrite")
      throw names.length === 0 ? error : shownFirst(context, records, current, now, names, error);
    context.log("warning", overwriting(error.details));
  } else tellCarriedOn(context, records, current, now);
  const { revision: _, ...rest } = records;
  return { ...rest, observed: now, ...(current.revision !== undefined && { revision: current.revision }) };
}

/** The facts about an earlier write with an unknown outcome. */
interface After {
  /** True if this step has already sent a write that the server does not show. */
  readonly isUnclear?: boolean;
  /** True if the server has all values of our write, so that the other changes may come from that write, too. */
  readonly isPerhapsOurs?: boolean;
}

/** True if someone else has already set a value that the delete sets first. */
function helpsDelete({ path: [, ...inside], field, theirs }: Movement): boolean {
  const wanted = lookUp(field.facts.document?.deletedAs, inside);
  return wanted !== undefined && sameInDocument(wanted, theirs);
}

/**
 * The error for links that the program starts to manage. Quarterdeck reads a link only if the program manages it, so no preview
 * has shown their values. The state records them now: the next preview shows them, and the next `pulumi up` may replace them.
 */
function shownFirst(
  context: ObjectContext,
  records: Records,
  current: Observation,
  now: Model,
  names: readonly string[],
  error: ConflictError,
): Error {
  const shown = Object.fromEntries(names.map((name) => [name, now[name]]));
  const shownRecord: Records = { ...records, observed: { ...records.observed, ...shown } };
  return partial(context, shownRecord, records.lastApplied, current.body, error);
}

/** Logs the changes that cause no conflict. Their author is unknown: they may come from our own write, not read until now. */
function tellCarriedOn(context: ObjectContext, records: Records, current: Observation, now: Model): void {
  const moved = differencesIn(context.definition, records.observed, now);
  const secrets = secretMapOf(context.definition, records.lastApplied, context.redactor);
  const what = moved.slice(0, MOST_NAMED).map(({ path }) => formatPath(secrets.shownPath(path)));
  if (moved.length > MOST_NAMED) what.push(`${moved.length - MOST_NAMED} more`);
  const index = `index ${records.revision ?? "none"} → ${current.revision ?? "none"}`;
  if (current.revision !== records.revision) what.push(index);
  if (what.length === 0) return;
  const { alsoMovedBy } = context.definition.life.check ?? {};
  if (moved.length === 0 && alsoMovedBy !== undefined) {
    context.log("info", `nothing of it moved but its index (${index}): by ${alsoMovedBy}; carried on`);
    return;
  }
  context.log(
    "info",
    `only what this program does not manage moved, or the same change was there already (${what.join(", ")}); carried on`,
  );
}

const MOST_NAMED = 5;

/** Someone else's changes to managed values since the last recorded read. */
export function movementsSince(
  definition: Definition,
  records: Records,
  inputs: KnownInputs,
  now: Model,
): Movement[] {
  return movementsIn(definition, comparisonOf(definition, records, inputs), now);
}

/** The conflict error of a step. */
export function conflict(
  context: ObjectContext,
  records: Records,
  inputs: KnownInputs,
  current: Observation,
  movements: readonly Movement[],
  when: Pick<ConflictDetails, "afterOurs" | "afterUnclear" | "isFirstLook" | "isPerhapsOurs"> = {},
): ConflictError {
  const { definition, step } = context;
  return new ConflictError({
    resource: context.name(records.address),
    step: step === "delete" || step === "create" ? step : "update",
    ourToken: records.revision,
    theirToken: current.revision,
    movements,
    ...when,
    secrecy: secretMapOf(definition, inputs, context.redactor, records.lastApplied),
  });
}

/**
 * Stops a step after one of its own requests if someone else has changed a managed value.
 * @param isUnclear true if the outcome of that request is unknown
 * @throws ConflictError with these changes, unless the program sets `onConflict` to "overwrite".
 */
export function assertNoneMoved(
  context: ObjectContext,
  { records, inputs }: Pick<PostWrite, "records" | "inputs">,
  found: Observation,
  movements: readonly Movement[],
  { isUnclear = false }: Pick<After, "isUnclear"> = {},
): void {
  if (movements.length === 0) return;
  const when = isUnclear ? { afterUnclear: true } : { afterOurs: true };
  const error = conflict(context, records, inputs, found, movements, when);
  if (inputs.onConflict !== "overwrite") throw error;
  context.log("warning", overwriting(error.details));
}

/**
 * Reads the object again.
 * @param isSent true if an earlier write of this step may have been applied
 * @throws GoneError if the server proves that the object no longer exists.
 */
export async function readExisting(
  context: ObjectContext,
  address: Address,
  links: LinksToRead,
  isSent = false,
): Promise<Observation> {
  const current = await observe(context, address, links);
  if (current !== undefined) return current;
  throw gone(context, address, isSent);
}

/**
 * The error for an object that provably no longer exists.
 * @param isSent true if this step has already sent a write
 */
export function gone(context: ObjectContext, address: Address, isSent = false): GoneError {
  const { service, life } = context.definition;
  return new GoneError(context.name(address), goneProofOf(service, life.reads).evidence, isSent);
}
