import { isAdditive } from "../../compare/additive";
import { differencesIn } from "../../compare/differences";
import { ownFields, writtenForm } from "../../compare/forms";
import { changesThatHold, withChanges } from "../../compare/held";
import { canonicalField, type Model, modelOfBody, modelOfInputs } from "../../compare/model";
import { type Movement, movementsIn } from "../../compare/movements";
import { predicted } from "../../compare/predicted";
import type { ObjectContext } from "../../language/contexts";
import type { Field } from "../../language/fields";
import type { Address, Observation, Values } from "../../language/object";
import { goneProofOf } from "../../language/reads";
import type { Definition } from "../../language/resource";
import { type LinksToRead, observe } from "../../requests/observe";
import { type ConflictDetails, ConflictError, movementTable } from "../../state/conflict";
import { GoneError } from "../../state/failures";
import type { Records } from "../../state/records";
import { secrecyOf } from "../../state/redaction";
import { selected } from "../../value/aside";
import { isHollow } from "../../value/empty";
import { same, sameInDocument } from "../../value/equality";
import type { Json } from "../../value/json";
import { formatPath, lookUp, valueAt } from "../../value/path";
import { comparisonOf, plannedChanges } from "../planned";
import { holdsWrite, isAllOurs, isUntouched, showsWrite } from "./dropped";
import { partial } from "./partial";

/**
 * The records with the service's answer as seen just now, after making sure that nobody moved what we manage.
 * @param after what was sent before of which nobody knows what became
 */
export function reconciled(
  context: ObjectContext,
  before: Records,
  inputs: Values,
  current: Observation,
  { isUnclear = false, isPerhapsOurs = isPerhapsHeld(context.definition, before, current) }: After = {},
): Records {
  const { definition } = context;
  const now = modelOfBody(definition, current.body, inputs);
  const records = caughtUp(definition, before, current);
  const moved = movementsSince(definition, records, inputs, now);
  const movements = context.step === "delete" ? moved.filter((movement) => !helpsDelete(movement)) : moved;
  if (movements.length > 0) {
    if (inputs.onConflict !== "overwrite") {
      const names = neverRead(definition, records, movements);
      const isFirstLook = movements.every(({ path }) => names.includes(String(path[0])));
      const error = conflict(context, records, inputs, current, movements, {
        isFirstLook,
        afterUnclear: isUnclear,
        isPerhapsOurs,
      });
      throw names.length === 0 ? error : shownFirst(context, records, current, now, names, error);
    }
    const verb = context.step === "delete" ? "deleting" : "overwriting";
    const table = movementTable(movements, secrecyOf(definition, inputs, context.redactor));
    context.log(
      "warning",
      [`${verb} somebody else's changes (onConflict: "overwrite"):`, ...table].join("\n"),
    );
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

function isPerhapsHeld(definition: Definition, records: Records, current: Observation): boolean {
  return records.attempted !== undefined && showsWrite(definition, records, records.attempted, current);
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

function neverRead(
  { life: { links } }: Definition,
  { seen, applied }: Records,
  movements: readonly Movement[],
): string[] {
  const moved = new Set(movements.map(({ path }) => path[0]));
  return links
    .filter((link) => link.read && moved.has(link.field))
    .map((link) => link.field)
    .filter((name) => seen[name] === undefined && applied[name] === undefined);
}

/** Says what others moved that is no conflict. */
function tellCarriedOn(context: ObjectContext, records: Records, current: Observation, now: Model): void {
  const moved = differencesIn(context.definition, records.seen, now);
  const what = moved.slice(0, MOST_NAMED).map(({ path }) => formatPath(path));
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
    `others moved only what this program does not manage, or made the same change (${what.join(", ")}); carried on`,
  );
}

const MOST_NAMED = 5;

/**
 * Records whose last write could not be read back, once the object can be read. Where the service's indexes prove
 * that nobody wrote since, what it holds is the answer to that write. Else only what was written and what was seen
 * before is known, and everything new shows like any other movement.
 */
export function caughtUp(definition: Definition, records: Records, current: Observation): Records {
  if (records.attempted !== undefined) return withLateWrite(definition, records, records.attempted, current);
  if (!records.unread) return records;
  const { unread: _, ...rest } = records;
  const now = modelOfBody(definition, current.body, records.applied);
  const isAnswer = isLastWrite(definition, records, current);
  // Nobody wrote since: whatever it holds, and however it spells that, is the answer.
  if (isAnswer) return { ...rest, settled: now, seen: now };
  const expected = predicted(definition, records.applied, records.seen, now, current.address);
  const written = ownFields(definition).filter(
    (field) =>
      writtenForm(definition, field, records.applied) !== undefined &&
      field.facts.location !== "link" &&
      !isAdditive(field, records.applied),
  );
  const model = { ...records.seen, ...Object.fromEntries(written.map(({ name }) => [name, expected[name]])) };
  return { ...rest, settled: model, seen: model };
}

/**
 * Records with a write of ours of which nobody knew whether it was carried out. What holds all of it was written by us,
 * late as it may have come. Where others have moved something since, each value of it that is there counts as ours.
 */
function withLateWrite(
  definition: Definition,
  records: Records,
  attempted: Values,
  current: Observation,
): Records {
  const now = modelOfBody(definition, current.body, attempted);
  const isDone =
    !isUntouched(definition, records, current) && holdsWrite(definition, records, attempted, current);
  if (!isDone) {
    const held = changesThatHold(now, plannedChanges(definition, records, attempted));
    return { ...records, settled: withChanges(records.settled, held), seen: withChanges(records.seen, held) };
  }
  // Nobody has seen its answer.
  const { attempted: _, receipt: __, ...rest } = records;
  const changes = plannedChanges(definition, records, attempted);
  const isWhole = isAllOurs(definition, { records, inputs: attempted, changes }, current);
  const made = isWhole ? now : predicted(definition, attempted, records.seen, now, current.address);
  // What it only left out may be anything by now: another value than its default is whoever's, and shows as moved.
  const written = modelOfInputs(definition, attempted);
  const open = changes.filter(
    ({ path, field }) => valueAt(written, path) === undefined && !isBack(field, valueAt(now, path)),
  );
  const ours = withChanges(
    made,
    open.map((change) => ({ ...change, to: valueAt(records.seen, change.path) })),
  );
  // Where nothing else moved, the index moved with our write, too.
  const token = isWhole ? current.token : records.token;
  const applied = butForLinks(definition, attempted, records.applied);
  return { ...rest, applied, settled: ours, seen: ours, ...(token !== undefined && { token }) };
}

/** Whether a property that was left out is what leaving it out comes to, as far as that is known; documents know by themselves. */
function isBack(field: Field, now: Json | undefined): boolean {
  const { document, location, default: usual, empty } = field.facts;
  const restored = usual ?? empty;
  if (document !== undefined || location === "link" || now === undefined) return true;
  return restored === undefined ? isHollow(now) : same(canonicalField(field, restored), now);
}

/** Links have requests of their own, which come after the write: of one that was open none was sent. */
function butForLinks({ life: { links } }: Definition, attempted: Values, applied: Values): Values {
  const isLink = (name: string) => links.some(({ field }) => field === name);
  // What goes along with the inputs is the attempted write's.
  return { ...selected(applied, isLink), ...selected(attempted, (name) => !isLink(name)) };
}

function isLastWrite({ life: { check } }: Definition, { token }: Records, { body }: Observation): boolean {
  if (check?.proof === "repeated") return check.isUntouched(body);
  return token !== undefined && (check?.isStill(token, body) ?? false);
}

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

/** Reads the object again. @throws GoneError where the service proves that it is gone. */
export async function lookAgain(
  context: ObjectContext,
  address: Address,
  links: LinksToRead,
): Promise<Observation> {
  const current = await observe(context, address, links);
  if (current !== undefined) return current;
  throw gone(context, address);
}

/**
 * The error for an object that is proven gone.
 * @param isSent whether a write of this step was sent before
 */
export function gone(context: ObjectContext, address: Address, isSent = false): GoneError {
  const { service, life } = context.definition;
  return new GoneError(context.name(address), goneProofOf(service, life.reads).evidence, isSent);
}
