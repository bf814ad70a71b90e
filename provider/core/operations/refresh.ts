import { isDeepEmpty } from "../compare/entries";
import { type Model, modelOfBody, plainModel } from "../compare/model";
import type { Movement } from "../compare/movements";
import { idOnRecord } from "../language/address";
import { fieldsOf } from "../language/fields";
import type { Observation } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import type { StepInput } from "../language/stepInput";
import { objectContextOf } from "../requests/context";
import { isAsked, type LinksToRead, managedLinks, observe, openedFrom, withLinks } from "../requests/observe";
import { foundInList } from "../requests/shared/inList";
import { driftTable } from "../state/conflict";
import { driftedInputs, outputsOf } from "../state/outputs";
import { hasPendingCreate, outputsInState, type Records } from "../state/records";
import { secrecyOf } from "../state/redaction";
import { equalJson, type Json } from "../value/json";
import type { Inputs } from "../value/unknown";
import { movementsSince } from "./conflicts";
import { isCollected, recordsOfOwnCreate } from "./find";
import { resolvePending } from "./write/pending";

/** A resource as it is now; undefined where it is proven gone. */
export interface ReadBack {
  readonly id: string;
  readonly outputs: { [property: string]: Json };
  /** The inputs of a program that would be quiet; none where those of the state still are that. */
  readonly inputs?: { [property: string]: Json };
  /**
   * The same of an object that was only read, for who takes it over: the program that a person would write, without what
   * says no more than leaving it out.
   */
  readonly taken?: Pick<ReadBack, "outputs" | "inputs">;
  /** The service's own answer, for those who show more of it. */
  readonly body?: Observation["body"];
  /** What of what the program manages moved since the last read; none where nothing did. */
  readonly moved?: readonly Movement[];
  /** When the service says that it was written last (RFC 3339), where that is since the last read and something moved. */
  readonly writtenAt?: string;
}

/** A resource that is on record, and the id that the state has of it. */
interface OnRecord {
  readonly id: string;
  readonly records: Records;
  readonly outputs: Inputs | undefined;
}

/** Reads a resource that is on record: only `seen` moves, and the inputs carry what others changed. */
export async function refreshed(
  definition: Definition,
  input: StepInput,
  held: OnRecord,
): Promise<ReadBack | undefined> {
  const { records, outputs } = held;
  const context = objectContextOf(definition, "read", input, records.applied, outputs);
  if (hasPendingCreate(records)) return perhapsThere(context, held);
  // What was found once is looked at again, whether the program writes it yet or not.
  const links = managedLinks(definition, records.applied, withoutHollow(definition, records.seen));
  const asListed = await unchangedInList(context, held, links);
  if (asListed !== undefined) return asListed;
  const current = await observe(context, records.address, links);
  if (current === undefined) {
    if (!isCollected(context, records)) return undefined;
    context.log("info", definition.life.reads.ends?.note ?? "");
    return {
      id: held.id,
      outputs: { ...outputsInState(outputs ?? {}) },
      ...inputsAfter(definition, records, records),
    };
  }
  const { back, before, seen } = readBack(definition, input, held, current);
  const moved = seen === before.seen ? [] : movementsSince(definition, before, before.applied, seen);
  if (moved.length === 0) return { ...back, outputs: withoutLater(definition, back.outputs, outputs) };
  tellDrift(context, before, moved);
  return { ...back, moved, ...writtenAt(definition, records, current, moved) };
}

/**
 * When a movement happened, as far as the service tells: nothing where the time that it tells is of an earlier write, or of
 * another part of the object than one that moved.
 */
function writtenAt(
  { life }: Definition,
  { stamp }: Records,
  current: Observation,
  moved: readonly Movement[],
): Pick<ReadBack, "writtenAt"> {
  const isOfOthers = ({ path: [first] }: Movement) => life.links.some(({ field }) => field === first);
  if (moved.some(isOfOthers) || (stamp !== undefined && stamp === current.stamp)) return {};
  const time = life.reads.writtenAt?.(current.body)?.getTime();
  return time === undefined || Number.isNaN(time) ? {} : { writtenAt: new Date(time).toISOString() };
}

/** The state after a read: only what was seen moves. */
function readBack(definition: Definition, input: StepInput, { id, records }: OnRecord, current: Observation) {
  const answer = modelOfBody(definition, current.body, records.applied);
  const before = resolvePending(definition, records, current);
  // Most objects are as they were: the same model is then not compared again.
  const seen = equalJson(plainModel(answer), plainModel(before.seen)) ? before.seen : answer;
  const { token: _, stamp: __, ended: ___, ...rest } = before;
  const now: Records = {
    ...rest,
    // A write that could not be read back, or an older state, may lack parts of it: told only now, or needed by a proof.
    address: { ...current.address, ...records.address },
    seen,
    ...(current.token !== undefined && { token: current.token }),
    ...(current.stamp !== undefined && { stamp: current.stamp }),
    ...(hasEnded(definition, current.body) && { ended: true }),
  };
  const back: ReadBack = {
    id: idOnRecord(definition, input.connection, now.address, id),
    outputs: outputsOf(definition, { ...now.applied }, now, current.body),
    ...inputsAfter(definition, records, now),
  };
  return { back, before, seen };
}

/** The inputs of a program that would be quiet, where those of the state are not that. */
function inputsAfter(definition: Definition, records: Records, now: Records): Pick<ReadBack, "inputs"> {
  const wasQuiet = isAsApplied(definition, records) && isAsApplied(definition, now);
  return wasQuiet ? {} : { inputs: driftedInputs(definition, now) };
}

/**
 * The state as it is, where a list that others ask for too shows that it is that. No list is believed further: what moved
 * by its word, or is not in it, is asked for itself. Neither is it where more is open than what was seen.
 */
async function unchangedInList(
  context: ObjectContext,
  held: OnRecord,
  links: LinksToRead,
): Promise<ReadBack | undefined> {
  const { definition, connection } = context;
  const { records, outputs = {} } = held;
  const { attempted, unread, unfinished } = records;
  if ([attempted, unread, unfinished].some((open) => open !== undefined)) return undefined;
  const found = await foundInList(context, records.address);
  if (found === undefined) return undefined;
  const shown = openedFrom(context, found.item, records.address);
  // That it has ended is recorded from its own page.
  if (hasEnded(definition, shown.body) !== (records.ended ?? false)) return undefined;
  if (found.isProofOnly) {
    const isProven = records.stamp !== undefined && shown.stamp === records.stamp;
    if (!isProven || shown.token !== records.token) return undefined;
    const id = idOnRecord(definition, connection, records.address, held.id);
    return { id, outputs: { ...outputsInState(outputs) }, ...inputsAfter(definition, records, records) };
  }
  if (!isAsked(definition, records.address, shown.body)) return undefined;
  const whole = await withLinks(context, shown, links).catch(() => undefined);
  if (whole === undefined) return undefined;
  const { back } = readBack(definition, context, held, whole);
  const own = withoutLater(definition, back.outputs, outputs);
  return equalJson(own, { ...outputsInState(outputs) }) ? { ...back, outputs: own } : undefined;
}

/**
 * The outputs of a read, or those of the state where all that is new in them are properties that an earlier version of
 * this package did not have: an update of the package is no news of the object.
 */
function withoutLater(
  definition: Definition,
  read: ReadBack["outputs"],
  outputs: Inputs = {},
): ReadBack["outputs"] {
  const lacked = fieldsOf(definition).filter(({ name, facts }) => facts.isLater && !(name in outputs));
  const names = new Set<string>(lacked.map(({ name }) => name));
  const own = Object.fromEntries(Object.entries(read).filter(([name]) => !names.has(name)));
  return names.size > 0 && equalJson(own, { ...outputsInState(outputs) }) ? own : read;
}

/** One that is perhaps made is ours where it is there and just what was written; else it stays perhaps made. */
async function perhapsThere(
  context: ObjectContext,
  { id: before, records, outputs = {} }: OnRecord,
): Promise<ReadBack> {
  const { definition, connection } = context;
  const { attempted = {}, address } = records;
  const readById = await observe(context, address, managedLinks(definition, attempted));
  const made = readById && recordsOfOwnCreate(context, records, readById);
  const id = idOnRecord(definition, connection, made?.address ?? address, before);
  if (made === undefined) return { id, outputs: { ...outputsInState(outputs) } };
  return { id, outputs: outputsOf(definition, { ...attempted }, made, readById?.body ?? {}) };
}

function hasEnded({ life }: Definition, body: Observation["body"]): boolean {
  return life.reads.ends?.hasEnded(body) ?? false;
}

/** The properties of a model that are not empty. */
function withoutHollow(definition: Definition, model: Model): Model {
  const own = fieldsOf(definition).filter((field) => !isDeepEmpty(field, model[field.name]));
  return Object.fromEntries(own.map(({ name }) => [name, model[name]]));
}

/**
 * Says which managed fields moved since the last read, whatever the engine makes of it. Who moved them is not said: it may
 * have been a write of ours that is in no state, because the process was killed after it.
 */
function tellDrift(context: ObjectContext, records: Records, moved: readonly Movement[]): void {
  const secrecy = secrecyOf(context.definition, records.applied, context.redactor);
  const table = driftTable(moved, secrecy);
  context.log(
    "info",
    ["changed since it was last read, by no up that the state knows of:", ...table].join("\n"),
  );
}

/** Whether the service holds what the program wrote, so that the state's inputs say so too, in whatever spelling. */
function isAsApplied(definition: Definition, records: Records): boolean {
  return (
    records.seen === records.settled || equalJson(driftedInputs(definition, records), { ...records.applied })
  );
}
