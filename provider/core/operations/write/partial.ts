import { type Model, modelOfBody } from "../../diff/models";
import { predict } from "../../diff/predict";
import { ServiceError } from "../../http/errors";
import type { Observation } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import { managedLinks, observe } from "../../requests/observe";
import { probeContext } from "../../requests/probe";
import { ConflictError, NotOfferedError, type PartialError } from "../../state/errors";
import { isNeverObserved, type Records } from "../../state/records";
import { toError } from "../../value/error";
import { omit, pick } from "../../value/json";
import { appliedInputs, linksChangedByOthers } from "../links";
import { baselineAfterWrite, CREATED, type PostWrite, partial } from "./result";

/** What is known of an object after its main write. */
export interface Written {
  readonly address: Records["address"];
  /** The object by the response to the main write, if that contains it, or as a probe found it. */
  readonly own: Observation | undefined;
}

/**
 * Runs the work after a write. After a failure, the state records the ID and the live values. Only the write's own response
 * counts as ours: an object that is read after the failure may be someone else's, which the next refresh must show.
 * @param links the links that are written by then
 */
export async function withPartialState(
  context: ObjectContext,
  work: PostWrite,
  main: Written,
  links: ReadonlySet<string>,
  run: () => Promise<Observation>,
): Promise<Observation> {
  try {
    return await run();
  } catch (error) {
    throw await partialWrite(context, work, main, links, toError(error));
  }
}

async function partialWrite(
  context: ObjectContext,
  work: PostWrite,
  { own, address }: Written,
  links: ReadonlySet<string>,
  error: Error,
): Promise<PartialError> {
  const { definition } = context;
  const before = work.records;
  const unwritten = unwrittenLinks(definition, work, links, error);
  const read = await readAfterFailure(context, work, address);
  const isRejected = error instanceof ServiceError && error.outcome === "notApplied";
  const there = isRejected && read ? modelOfBody(definition, read.body, work.inputs) : undefined;
  const applied = appliedInputs(definition, work, unwritten, there);
  const now = read && modelOfBody(definition, read.body, applied);
  const baseline = omit(
    own
      ? baselineOf(context, work, own, now)
      : predict(definition, applied, before.observed, before.observed),
    unwritten,
  );
  // The next refresh must show a change of a link by someone else, unless this error reports it.
  const done = new Set([...links, ...linksOfCreate(definition, work)]);
  const isReported = now === undefined || error instanceof ConflictError;
  const moved = isReported ? new Set<string>() : linksChangedByOthers(context, work, done, now);
  const unmoved = definition.life.links.map(({ field }) => field).filter((name) => !moved.has(name));
  const records: Records = {
    address: read?.address ?? address,
    lastApplied: applied,
    baseline: { ...baseline, ...pick(before.baseline, unwritten) },
    // The response to the write contains no link that has a request of its own.
    observed: { ...baseline, ...pick(before.observed, unwritten), ...(now && pick(now, new Set(unmoved))) },
    pending: { kind: own === undefined ? "unverified" : "incomplete", reason: error.message },
    ...revisionOf(definition, work, own),
  };
  const live = read ?? (work.response ? own : undefined);
  const isCreated = isNeverObserved(before) && (work.response ?? work.found) !== undefined;
  return partial(context, records, applied, live?.body ?? {}, error, isCreated ? CREATED : undefined);
}

/** The links that were to be written, and that were not, or perhaps not. */
function unwrittenLinks(
  { life }: Definition,
  { changes }: PostWrite,
  written: ReadonlySet<string>,
  error: Error,
): ReadonlySet<string> {
  const changed = new Set(changes.map(({ field }) => field.name));
  const links = life.links.map(({ field }) => field);
  const unwritten = new Set(links.filter((name) => changed.has(name) && !written.has(name)));
  if (error instanceof NotOfferedError) unwritten.add(error.property);
  return unwritten;
}

/** The links that the body of a create contains. */
function linksOfCreate({ life: { links } }: Definition, { response, found, records }: PostWrite): string[] {
  if ((response ?? found) === undefined || !isNeverObserved(records)) return [];
  return links.filter(({ isCreatedWith }) => isCreatedWith).map(({ field }) => field);
}

function baselineOf(
  context: ObjectContext,
  work: PostWrite,
  { body }: Observation,
  now: Model | undefined,
): Model {
  const answered = modelOfBody(context.definition, body, work.inputs);
  if (context.definition.life.check !== undefined) return answered;
  return baselineAfterWrite(context, work, { answered: body, read: now ?? answered });
}

/** The object after a failure; undefined if it cannot be read. */
async function readAfterFailure(
  context: ObjectContext,
  { inputs, records }: PostWrite,
  address: Records["address"],
): Promise<Observation | undefined> {
  // It is unknown which requests of the links were carried out, so only the earlier values count as written.
  const links = managedLinks(context.definition, records.lastApplied, inputs);
  try {
    return await observe(probeContext(context), address, links);
  } catch {
    return undefined;
  }
}

/** The revision of the write if its response contains it, or the one before it if that can still prove the write. */
function revisionOf(
  { life: { check } }: Definition,
  { response, records }: PostWrite,
  own: Observation | undefined,
): Pick<Records, "revision"> {
  const named = response && check?.proof === "named" ? check.named(response) : undefined;
  const revision = own?.revision ?? (check?.proof === "repeated" ? records.revision : named);
  return revision === undefined ? {} : { revision };
}
