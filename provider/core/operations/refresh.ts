import { type Model, modelOfBody, plainModel } from "../diff/models";
import { isDeepEmpty } from "../diff/normalize";
import type { Difference } from "../diff/threeWay";
import { idOnRecord } from "../language/address";
import { fieldsOf } from "../language/fields";
import type { Observation } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import {
  isAsked,
  type LinksToRead,
  managedLinks,
  observationOf,
  observe,
  withLinks,
} from "../requests/observe";
import { foundInList } from "../requests/shared/inList";
import { conflictsSince } from "../state/changes";
import { driftTable } from "../state/conflictTable";
import { driftedInputs, outputsOf } from "../state/outputs";
import { hasPendingCreate, outputsInState, pendingInputs, type Records } from "../state/records";
import { secretMapOf } from "../state/redaction";
import { equalJson, omit } from "../value/json";
import type { Inputs } from "../value/unknown";
import { isCollected, recordsOfOwnCreate } from "./find";
import type { ReadResult } from "./steps";
import { resolvePending } from "./write/pending";

/** A recorded resource, with its ID and its outputs in the state. */
interface RecordedOutputs {
  readonly context: ObjectContext;
  readonly id: string;
  readonly records: Records;
  readonly outputs: Inputs;
}

/** Reads a recorded resource. Only the observed values change, and the inputs contain other users' changes. */
export async function refresh(resource: RecordedOutputs): Promise<ReadResult | undefined> {
  const { context, records } = resource;
  const { definition } = context;
  if (hasPendingCreate(records)) return readPendingCreate(resource);
  // A link that was found with a value once is read again, even if the program does not write it yet.
  const links = managedLinks(
    definition,
    records.lastApplied,
    withoutEmptyProperties(definition, records.observed),
  );
  const asListed = await unchangedInList(resource, links);
  if (asListed !== undefined) return asListed;
  const current = await observe(context, records.address, links);
  if (current === undefined) {
    if (!isCollected(context, records)) return undefined;
    context.log("info", definition.life.reads.ends?.note ?? "");
    return unchangedResult(resource);
  }
  const { back, before, seen } = readBack(resource, current);
  const newDrift =
    seen === before.observed ? [] : conflictsSince(definition, before, before.lastApplied, seen);
  if (newDrift.length === 0) return { ...back, outputs: withoutNewProperties(resource, back.outputs) };
  // The message names no author: if the process was killed after our own write, no state contains that write.
  const text = "changed outside this stack since the last refresh:";
  const secrecy = secretMapOf(definition, before.lastApplied, context.redactor);
  context.log("info", [text, ...driftTable(newDrift, secrecy)].join("\n"));
  return { ...back, newDrift, ...changeTime(resource, current, newDrift) };
}

/**
 * The time of the change, if the server reports it. Empty if the reported time belongs to an earlier write, or does not
 * cover every part of the object that changed.
 */
function changeTime(
  { context, records: { stamp } }: RecordedOutputs,
  current: Observation,
  newDrift: readonly Difference[],
): Pick<ReadResult, "writtenAt"> {
  const { life } = context.definition;
  const isOfOthers = ({ path: [first] }: Difference) => life.links.some(({ field }) => field === first);
  if (newDrift.some(isOfOthers) || (stamp !== undefined && stamp === current.stamp)) return {};
  const time = life.reads.lastWriteTime?.(current.body)?.getTime();
  return time === undefined || Number.isNaN(time) ? {} : { writtenAt: new Date(time).toISOString() };
}

/** The state after a read: only the observed values change. */
function readBack({ context, id, records }: RecordedOutputs, current: Observation) {
  const { definition, connection } = context;
  const answer = modelOfBody(definition, current.body, records.lastApplied);
  const before = resolvePending(context, records, current);
  // Most objects are unchanged. With the same model, the caller does not compare them again.
  const seen = equalJson(plainModel(answer), plainModel(before.observed)) ? before.observed : answer;
  const now: Records = {
    ...before,
    // After a write that could not be read back, or in an older state, the recorded address may lack parts. The server
    // returned them only now, or a proof needs them.
    address: { ...current.address, ...records.address },
    observed: seen,
    revision: current.revision,
    stamp: current.stamp,
    ended: hasEnded(definition, current.body) || undefined,
  };
  const back: ReadResult = {
    id: idOnRecord(definition, connection, now.address, id),
    outputs: outputsOf(definition, { ...now.lastApplied }, now, current.body),
    ...inputsAfter(definition, records, now),
  };
  return { back, before, seen };
}

/** The state as it was before the read. */
function unchangedResult({ context, records, id, outputs }: RecordedOutputs): ReadResult {
  return {
    id,
    outputs: { ...outputsInState(outputs) },
    ...inputsAfter(context.definition, records, records),
  };
}

/** The inputs of a program that would show no changes; empty if the state's inputs already show none, in any spelling. */
function inputsAfter(definition: Definition, records: Records, now: Records): Pick<ReadResult, "inputs"> {
  const isAsApplied = (each: Records) =>
    each.observed === each.baseline || equalJson(driftedInputs(definition, each), { ...each.lastApplied });
  return isAsApplied(records) && isAsApplied(now) ? {} : { inputs: driftedInputs(definition, now) };
}

/**
 * Returns the unchanged state if a list that several reads share shows that the object is unchanged. The object needs its own
 * read if the list shows a change, if the list lacks it, or if its last write is pending or incomplete.
 */
async function unchangedInList(
  resource: RecordedOutputs,
  links: LinksToRead,
): Promise<ReadResult | undefined> {
  const { context, records, outputs } = resource;
  const { definition, connection } = context;
  if (records.pending !== undefined) return undefined;
  const found = await foundInList(context, records.address);
  if (found === undefined) return undefined;
  const shown = observationOf(context, found.item, records.address);
  // The records take the end of an object from its own read only.
  if (hasEnded(definition, shown.body) !== (records.ended ?? false)) return undefined;
  if (found.isProofOnly) {
    const isProven = records.stamp !== undefined && shown.stamp === records.stamp;
    if (!isProven || shown.revision !== records.revision) return undefined;
    const id = idOnRecord(definition, connection, records.address, resource.id);
    return unchangedResult({ ...resource, id });
  }
  if (!isAsked(definition, records.address, shown.body)) return undefined;
  const whole = await withLinks(context, shown, links).catch(() => undefined);
  if (whole === undefined) return undefined;
  const { back } = readBack(resource, whole);
  const own = withoutNewProperties(resource, back.outputs);
  return equalJson(own, { ...outputsInState(outputs) }) ? { ...back, outputs: own } : undefined;
}

/**
 * The outputs of a read. Omits new properties that an earlier version of this package did not have, if nothing else differs
 * from the state: a package update does not change the object.
 */
function withoutNewProperties(
  { context, outputs }: RecordedOutputs,
  read: ReadResult["outputs"],
): ReadResult["outputs"] {
  const added = fieldsOf(context.definition).filter(({ name, facts }) => facts.isLater && !(name in outputs));
  const names = new Set<string>(added.map(({ name }) => name));
  const own = omit(read, names);
  return names.size > 0 && equalJson(own, { ...outputsInState(outputs) }) ? own : read;
}

/** Reads the object of a pending create. If the object has every written value, the create succeeded; else it stays pending. */
async function readPendingCreate({
  context,
  id: before,
  records,
  outputs,
}: RecordedOutputs): Promise<ReadResult> {
  const { definition, connection } = context;
  const { address } = records;
  const attempted = pendingInputs(records) ?? {};
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
function withoutEmptyProperties(definition: Definition, model: Model): Model {
  const own = fieldsOf(definition).filter((field) => !isDeepEmpty(field, model[field.name]));
  return Object.fromEntries(own.map(({ name }) => [name, model[name]]));
}
