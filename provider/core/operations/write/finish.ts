import { type Model, modelOfBody, plainModel } from "../../diff/models";
import { ActionableError, refreshFirst } from "../../http/remedies";
import type { Observation } from "../../language/object";
import { partsFromResponse } from "../../language/place";
import { isLink } from "../../language/role";
import type { Receipt } from "../../language/writes";
import { ignoredFields } from "../../requests/middleware";
import { managedLinks, observationOf, observe, withLinks } from "../../requests/observe";
import { probeContext } from "../../requests/probe";
import { replay } from "../../requests/write";
import { diffUpdate, withoutLinks } from "../../state/changes";
import type { PartialError } from "../../state/errors";
import { type Records, recordsAfterWrite } from "../../state/records";
import { toError } from "../../value/error";
import { equalJson } from "../../value/json";
import { writeLinks } from "../links";
import { assertNothingIgnored } from "./ignoredFields";
import { partialWrite } from "./partial";
import {
  baselineAfterWrite,
  type Finished,
  incomplete,
  type PostWrite,
  partial,
  type Written,
} from "./result";
import { verifyWrite } from "./verify";

/**
 * Finishes a write: writes the links, reads the object back, verifies that it is the result of this write, and waits for what
 * the definition waits for.
 * @throws PartialError with the ID and the live values, for every failure from here on
 */
export async function finish(main: PostWrite): Promise<Finished> {
  const { context, inputs, response } = main;
  const { definition } = context;
  const own = objectIn(main);
  const links = managedLinks(definition, inputs, main.records.lastApplied);
  const work: Written = { ...main, own, links, address: own?.address ?? addressIn(main) };
  const writtenLinks = new Set<string>();
  let observation: Observation;
  let isReplayed: boolean;
  try {
    if (main.changes.some(({ field }) => isLink(field.facts))) await writeLinks(work, writtenLinks);
    observation = await readBack(work, writtenLinks);
    isReplayed = await replayIfNotApplied(work, observation);
    // The first response no longer applies.
    if (isReplayed) observation = await readBack(work, writtenLinks);
  } catch (error) {
    throw await partialWrite(work, writtenLinks, toError(error));
  }
  let records = recordsAfterWrite(definition, inputs, observation);
  if (!isReplayed) records = await verifyWrite(work, observation, records);
  if (definition.life.check === undefined) {
    const baseline = baselineAfterWrite(work, (own ?? observation).body, records.observed);
    records = { ...records, baseline };
  }
  // A response that neither contains the object nor reports ignored fields says nothing about what was applied.
  const isComparable = own !== undefined || ignoredFields(response ?? {}).length > 0;
  if (response !== undefined && isComparable)
    await assertNothingIgnored(work, records, observation, response);
  const receipt = receiptOf(work, observation);
  records = withReceipt(records, receipt);
  try {
    const json = response && (response.json ?? null);
    const more = await definition.life.writes.after?.(context, inputs, observation, json);
    // An object that was adopted was not written here, so there are no facts about its write.
    if (receipt !== undefined) records = withReceipt(records, { ...receipt, ...more });
  } catch (error) {
    throw await waitError(work, records, observation.body, toError(error));
  }
  return { records, inputs, body: observation.body };
}

/**
 * Replays a write that was confirmed but not applied. Consul confirms a write of equal values, too. If the index did not change
 * although a value should have, the write is sent once more with the same revision.
 */
async function replayIfNotApplied(work: PostWrite, found: Observation): Promise<boolean> {
  const { context, records, inputs, write } = work;
  if (write?.revision === undefined || found.revision !== write.revision) return false;
  const observed = modelOfBody(context.definition, found.body, inputs);
  if (diffUpdate(context, { ...records, observed }, inputs).remote.length === 0) return false;
  return (await replay(context, write)) === true;
}

/** The object by the response to the main write, if that contains it, or as a probe found it. */
function objectIn({ context, response, found, records }: PostWrite): Observation | undefined {
  if (response === undefined) return found;
  const isWhole = context.definition.life.writes.returns === "object";
  return isWhole ? observationOf(context, response.json, records.address) : undefined;
}

/** The address of the object, with the parts that only the response to the main write contains. */
function addressIn({ context, response, records }: PostWrite) {
  const { service, life } = context.definition;
  const { returns } = life.writes;
  if (response === undefined || typeof returns !== "object") return records.address;
  return {
    ...records.address,
    ...partsFromResponse({ fromResponse: returns }, service.unwrap(response.json ?? null)),
  };
}

/**
 * Reads the object after its write, if the response does not contain it. The write is done, so neither the deadline nor a
 * cancel ends this read.
 */
async function readBack(work: Written, written: ReadonlySet<string>): Promise<Observation> {
  const { context, found: probed, links, inputs, write, address, own } = work;
  const asking = probeContext(context);
  if (own !== undefined && written.size === 0)
    return own === probed ? own : withLinks(asking, own, links, inputs);
  const found = await observe(asking, address, links, inputs);
  if (found !== undefined) return found;
  const when = write === undefined ? "right after it was found" : "right after the response to its write";
  throw new ActionableError(
    `${context.name(address)} was deleted ${when}.`,
    [refreshFirst("pulumi refresh (which removes the object from the state), then pulumi up")],
    { changedBy: "unknown" },
  );
}

/**
 * The facts about the last write: from its response; from the records if an earlier write is continued; undefined if the
 * response was lost or the object was adopted.
 */
function receiptOf(work: PostWrite, observation: Observation): Receipt | undefined {
  const { context, response, records, changes } = work;
  if (response !== undefined)
    return context.definition.life.writes.receipt?.(response.json ?? null, observation) ?? {};
  return withoutLinks(changes).length > 0 ? undefined : records.receipt;
}

function withReceipt(records: Records, receipt: Receipt = {}): Records {
  const known = plainModel(receipt);
  return Object.keys(known).length === 0 ? records : { ...records, receipt: known };
}

/**
 * The error of a failed wait. If the object is as written, or the service has reverted it since, the next write is based on it.
 * Any other object was changed by someone else, and no user has seen that: the next write then reports a conflict.
 */
async function waitError(
  { context, links, inputs, records: before }: Written,
  records: Records,
  body: Observation["body"],
  reason: Error,
): Promise<PartialError> {
  const now = await observe(probeContext(context), records.address, links).catch(() => undefined);
  const seen = now && modelOfBody(context.definition, now.body, inputs);
  const isKnown = (known: Model) => seen !== undefined && equalJson(plainModel(seen), plainModel(known));
  const latest = { ...records, pending: incomplete(reason) };
  if (now === undefined || seen === undefined || !(isKnown(records.observed) || isKnown(before.observed)))
    return partial(context, latest, { reason, body });
  const { revision = records.revision } = now;
  return partial(context, { ...latest, observed: seen, revision }, { reason, body: now.body });
}
