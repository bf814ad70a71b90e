import { differencesIn } from "../compare/comparison";
import { type Model, modelOfBody } from "../compare/model";
import { type Movement, movementsIn } from "../compare/movements";
import type { Address, Observation, Values } from "../language/object";
import { goneProofOf } from "../language/reads";
import type { Definition, ObjectContext } from "../language/resource";
import { type LinksToRead, observe } from "../requests/observe";
import { type ConflictDetails, ConflictError, overwriting } from "../state/conflict";
import { GoneError } from "../state/failures";
import type { Records } from "../state/records";
import { secrecyOf } from "../state/redaction";
import { sameInDocument } from "../value/equality";
import { formatPath, lookUp } from "../value/path";
import { comparisonOf, unreadLinks } from "./planned";
import { resolvePending } from "./write/pending";
import { type PostWrite, partial } from "./write/result";

/**
 * The records with the service's answer as seen just now, after making sure that nobody moved what we manage.
 * @param after what was sent before of which nobody knows what became
 */
export function reconcile(
  context: ObjectContext,
  before: Records,
  inputs: Values,
  current: Observation,
  { isUnclear = false, isPerhapsOurs = before.attempted !== undefined }: After = {},
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
  const { token: _, ...rest } = records;
  return { ...rest, seen: now, ...(current.token !== undefined && { token: current.token }) };
}

/** What was sent before of which nobody knows what became. */
interface After {
  /** Whether a write of this step was sent before, and does not show. */
  readonly isUnclear?: boolean;
  /** Whether the service holds all of a write of ours, so that what else moved may have moved with it. */
  readonly isPerhapsOurs?: boolean;
}

/** Whether somebody did what a delete does first. */
function helpsDelete({ path: [, ...inside], field, theirs }: Movement): boolean {
  const wanted = lookUp(field.facts.document?.deletedAs, inside);
  return wanted !== undefined && sameInDocument(wanted, theirs);
}

/**
 * A link is read only where the program manages it. One that it begins to manage was never shown: what is there is
 * recorded now, so that the next preview shows it, and the next up may replace it.
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
  const shownRecord: Records = { ...records, seen: { ...records.seen, ...shown } };
  return partial(context, shownRecord, records.applied, current.body, error);
}

/** Says what moved that is no conflict; by whom nobody knows: a write of our own may not have been read yet. */
function tellCarriedOn(context: ObjectContext, records: Records, current: Observation, now: Model): void {
  const moved = differencesIn(context.definition, records.seen, now);
  const { shownPath } = secrecyOf(context.definition, records.applied, context.redactor);
  const what = moved.slice(0, MOST_NAMED).map(({ path }) => formatPath(shownPath(path)));
  if (moved.length > MOST_NAMED) what.push(`${moved.length - MOST_NAMED} more`);
  const index = `index ${records.token ?? "none"} → ${current.token ?? "none"}`;
  if (current.token !== records.token) what.push(index);
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

/** What others moved, of what the program manages, since the last read on record. */
export function movementsSince(
  definition: Definition,
  records: Records,
  inputs: Values,
  now: Model,
): Movement[] {
  return movementsIn(definition, comparisonOf(definition, records, inputs), now);
}

/** The conflict error of a step. */
export function conflict(
  context: ObjectContext,
  records: Records,
  inputs: Values,
  current: Observation,
  movements: readonly Movement[],
  when: Pick<ConflictDetails, "afterOurs" | "afterUnclear" | "isFirstLook" | "isPerhapsOurs"> = {},
): ConflictError {
  const { definition, step } = context;
  return new ConflictError({
    resource: context.name(records.address),
    step: step === "delete" || step === "create" ? step : "update",
    ourToken: records.token,
    theirToken: current.token,
    movements,
    ...when,
    secrecy: secrecyOf(definition, inputs, context.redactor, records.applied),
  });
}

/**
 * Refuses to go on after a request of ours.
 * @param isUnclear whether nobody knows what became of that request
 * @throws ConflictError for what others moved, unless the program insists.
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
 * @param isSent whether a write of this step may have been carried out before
 * @throws GoneError where the service proves that it is gone.
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
 * The error for an object that is proven gone.
 * @param isSent whether a write of this step was sent before
 */
export function gone(context: ObjectContext, address: Address, isSent = false): GoneError {
  const { service, life } = context.definition;
  return new GoneError(context.name(address), goneProofOf(service, life.reads).evidence, isSent);
}
