import { type Model, modelOfBody } from "../../diff/models";
import { predict } from "../../diff/predict";
import { ServiceError } from "../../http/errors";
import type { Observation } from "../../language/object";
import { managedLinks, observe } from "../../requests/observe";
import { probeContext } from "../../requests/probe";
import { ConflictError, NotOfferedError, type PartialError } from "../../state/errors";
import { isNeverObserved, type Records } from "../../state/records";
import { omit, pick } from "../../value/json";
import { linksChangedByOthers } from "../conflicts";
import { appliedInputs, baselineAfterWrite, CREATED, type PostWrite, partial, type Written } from "./result";

/**
 * The error of the work after a write. The state then records the ID and the live values. Only the write's own response
 * counts as ours: an object that is read after the failure may be someone else's, which the next refresh must show.
 * @param links the links that are written by then
 */
export async function partialWrite(
  work: Written,
  links: ReadonlySet<string>,
  error: Error,
): Promise<PartialError> {
  const { context, own, records: before } = work;
  const { definition } = context;
  const unwritten = unwrittenLinks(work, links, error);
  const read = await readAfterFailure(work);
  const isRejected = error instanceof ServiceError && error.outcome === "notApplied";
  const there = isRejected && read ? modelOfBody(definition, read.body, work.inputs) : undefined;
  const applied = appliedInputs(work, unwritten, there);
  const now = read && modelOfBody(definition, read.body, applied);
  const baseline = omit(
    own ? baselineOf(work, own, now) : predict(definition, applied, before.observed, before.observed),
    unwritten,
  );
  // The next refresh must show a change of a link by someone else, unless this error reports it.
  const done = new Set([...links, ...linksOfCreate(work)]);
  const isReported = now === undefined || error instanceof ConflictError;
  const moved = isReported ? new Set<string>() : linksChangedByOthers(work, done, now);
  const unmoved = definition.life.links.map(({ field }) => field).filter((name) => !moved.has(name));
  const records: Records = {
    address: read?.address ?? work.address,
    lastApplied: applied,
    baseline: { ...baseline, ...pick(before.baseline, unwritten) },
    // The response to the write contains no link that has a request of its own.
    observed: { ...baseline, ...pick(before.observed, unwritten), ...(now && pick(now, new Set(unmoved))) },
    pending: { kind: own === undefined ? "unverified" : "incomplete", reason: error.message },
    ...revisionOf(work),
  };
  const live = read ?? (work.response ? own : undefined);
  const isCreated = isNeverObserved(before) && (work.response ?? work.found) !== undefined;
  const succeeded = isCreated ? CREATED : undefined;
  return partial(context, records, { reason: error, body: live?.body, succeeded });
}

/** The links that were to be written, and that were not, or perhaps not. */
function unwrittenLinks(work: PostWrite, written: ReadonlySet<string>, error: Error): ReadonlySet<string> {
  const changed = new Set(work.changes.map(({ field }) => field.name));
  const links = work.context.definition.life.links.map(({ field }) => field);
  const unwritten = new Set(links.filter((name) => changed.has(name) && !written.has(name)));
  if (error instanceof NotOfferedError) unwritten.add(error.property);
  return unwritten;
}

/** The links that the body of a create contains. */
function linksOfCreate({ context, response, found, records }: PostWrite): string[] {
  if ((response ?? found) === undefined || !isNeverObserved(records)) return [];
  return context.definition.life.links.filter(({ isCreatedWith }) => isCreatedWith).map(({ field }) => field);
}

function baselineOf(work: PostWrite, { body }: Observation, now: Model | undefined): Model {
  const { definition } = work.context;
  const answered = modelOfBody(definition, body, work.inputs);
  return definition.life.check ? answered : baselineAfterWrite(work, body, now ?? answered);
}

/** The object after a failure; undefined if it cannot be read. */
async function readAfterFailure({ context, inputs, records, address }: Written) {
  // It is unknown which requests of the links were carried out, so only the earlier values count as written.
  const links = managedLinks(context.definition, records.lastApplied, inputs);
  return observe(probeContext(context), address, links).catch(() => undefined);
}

/** The revision of the write if its response contains it, or the one before it if that can still prove the write. */
function revisionOf({ context, response, records, own }: Written): Pick<Records, "revision"> {
  const { check } = context.definition.life;
  const named = response && check?.proof === "returned" ? check.returnedToken(response) : undefined;
  const revision = own?.revision ?? (check?.proof === "repeated" ? records.revision : named);
  return revision === undefined ? {} : { revision };
}
