import { type Model, modelOfBody, modelOfInputs } from "../diff/models";
import { isDeepEmpty } from "../diff/normalize";
import { plainOf } from "../diff/project";
import type { Change, Difference } from "../diff/threeWay";
import { elementKey } from "../diff/walk";
import { ActionableError, rerunUp } from "../http/remedies";
import { fieldNamed, fieldsOf } from "../language/fields";
import type { KnownInputs, Observation } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import type { Link } from "../language/writes";
import { managedLinks, observe } from "../requests/observe";
import { unknownError } from "../requests/probe";
import { resultOf } from "../requests/writeResult";
import { isNeverObserved, type Records } from "../state/records";
import { type Json, pick } from "../value/json";
import { selectInputs } from "../value/programInputs";
import { asKnown, type Value } from "../value/unknown";
import { assertNoConflict, conflictsSince } from "./conflicts";
import { plannedChanges } from "./planned";
import { done, runWrite, type WriteStrategy } from "./write/loop";
import type { PostWrite } from "./write/result";

/** The object that the links belong to, as known when they are written. */
interface Linked {
  readonly address: Records["address"];
  /** The object from the response to the main write, if that contains it, or as a probe found it. */
  readonly answered: Observation["body"] | undefined;
}

/**
 * Writes each changed link with its own request, and adds the names of the finished ones to `written`. If a request was sent
 * since the object was read, reads a link once more before writing it.
 * @throws ConflictError if someone else has changed the link since the object was read.
 */
export async function writeLinks(
  context: ObjectContext,
  work: PostWrite,
  { address, answered }: Linked,
  written: Set<string>,
) {
  for (const link of context.definition.life.links) {
    const change = work.changes.find(({ field }) => field.name === link.field);
    if (change === undefined) continue;
    refuseFound(context, work, link);
    const hasWritten = work.write !== undefined || written.size > 0;
    if (hasWritten) await refuseMoved(context, work, link, { address, answered });
    await runWrite(context, linkStrategy(context, work, link, { address, change, hasWritten }));
    written.add(link.field);
  }
}

/** The write of one link. It repeats if a read shows that it was not applied. */
function linkStrategy(
  context: ObjectContext,
  work: PostWrite,
  link: Link,
  {
    address,
    change,
    hasWritten,
  }: {
    readonly address: Records["address"];
    readonly change: Change;
    /** True if an earlier write of this update was applied. */
    readonly hasWritten: boolean;
  },
): WriteStrategy<Observation, void> {
  const { definition } = context;
  const links = managedLinks(definition, work.records.lastApplied, work.inputs);
  const written = done(undefined);
  /** True if a request was sent of which no one knows what became. */
  let isUnclear = false;
  const modelIn = ({ body }: Observation) => modelOfBody(definition, body, work.inputs);
  const isWritten = (seen: Model) =>
    plannedChanges(definition, { ...work.records, observed: seen }, work.inputs).every(
      ({ field }) => field.name !== link.field,
    );
  return {
    isBasedOnRead: true,

    async send(asking) {
      try {
        await link.write(asking, address, wholeChange(definition, work, change));
        return written;
      } catch (error) {
        return resultOf(error);
      }
    },

    applied: async () => written,

    async probe(asking) {
      const found = await observe(asking, address, links);
      if (found === undefined) return { isApplied: false };
      return { isApplied: isWritten(modelIn(found)), found };
    },

    shown: async () => undefined,

    read: () => observe(context, address, links),

    async conclude(found, cause) {
      if (found !== undefined || cause.kind !== "unknown") return undefined;
      throw unknownError(cause, rerunUp());
    },

    rebase(found, { kind }) {
      if (found === undefined) return;
      isUnclear ||= kind === "unknown";
      const ownWrite = isUnclear ? "unknown" : hasWritten ? "applied" : "notApplied";
      assertNoConflict(context, work, found, wholeLinkDiff(context, work, link, modelIn(found)), ownWrite);
    },

    unknown: (outcome) => unknownError(outcome, rerunUp()),

    exhaustedError: () =>
      new ActionableError(`${context.name(address)}: ${link.field} keeps changing.`, [rerunUp()]),
  };
}

/**
 * Someone else's changes to a link since the object was observed. Two forms of an empty value are equal: a link of a newly
 * created object is empty in one of them.
 */
function linkDiff({ definition }: ObjectContext, { records, inputs }: PostWrite, link: Link, now: Model) {
  return conflictsSince(definition, records, inputs, now).filter(
    ({ field, path, base, theirs }) =>
      path[0] === link.field &&
      !(isDeepEmpty(field, base, path.slice(1)) && isDeepEmpty(field, theirs, path.slice(1))),
  );
}

/** The same after our own requests for the link. It ignores a list that two of these requests have written only in part. */
function wholeLinkDiff(context: ObjectContext, work: PostWrite, link: Link, now: Model): Difference[] {
  return linkDiff(context, work, link, now).filter((difference) => !isHalfWritten(difference));
}

/** The links that someone else has changed since the object was observed, or since our own write of the link. */
export function linksChangedByOthers(
  context: ObjectContext,
  work: PostWrite,
  written: ReadonlySet<string>,
  now: Model,
): ReadonlySet<string> {
  const { definition } = context;
  const ours = pick(modelOfInputs(definition, work.inputs), written);
  const records = { ...work.records, observed: { ...work.records.observed, ...ours } };
  const moved = definition.life.links.filter(
    (link) => wholeLinkDiff(context, { ...work, records }, link, now).length > 0,
  );
  return new Set(moved.map(({ field }) => field));
}

/**
 * True if a list is partly written: every element is old or new, and every common element is present. One request writes a
 * value that is not a list, so such a value is never partly written.
 */
function isHalfWritten({ base, ours, theirs }: Difference): boolean {
  if (![base, ours, theirs].some((value) => Array.isArray(value))) return false;
  const [before, after, now] = [elementsIn(base), elementsIn(ours), elementsIn(theirs)];
  return (
    now.every((element) => before.includes(element) || after.includes(element)) &&
    before.every((element) => !after.includes(element) || now.includes(element))
  );
}

/** The elements of a list, each as text. A list that is not set has no elements. */
function elementsIn(value: Value | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(elementKey) : [];
}

/** @throws ConflictError if the object that a probe found shows someone else's change to the link during the main write */
function refuseFound(context: ObjectContext, work: PostWrite, link: Link): void {
  const { found, inputs } = work;
  if (found === undefined) return;
  const now = modelOfBody(context.definition, found.body, inputs);
  assertNoConflict(context, work, found, linkDiff(context, work, link, now));
}

async function refuseMoved(
  context: ObjectContext,
  work: PostWrite,
  link: Link,
  linked: Linked,
): Promise<void> {
  const { definition } = context;
  const { records, inputs } = work;
  if (isNeverObserved(records)) return;
  const body = { ...(await linkNow(context, work, link, linked)) };
  const now = { ...records.observed, ...pick(modelOfBody(definition, body, inputs), new Set([link.field])) };
  assertNoConflict(context, work, { body, address: linked.address }, linkDiff(context, work, link, now));
}

/** The current value of a link: from its own read, or from the response to the main write. */
async function linkNow(
  context: ObjectContext,
  { records }: PostWrite,
  link: Link,
  { address, answered }: Linked,
): Promise<Observation["body"]> {
  if (link.read === undefined) return answered ?? {};
  const known = { written: records.lastApplied[link.field], body: answered ?? {} };
  const field = fieldNamed(context.definition, link.field);
  return field === undefined ? {} : { [field.wire]: await link.read(context, address, known) };
}

/** Turns a change inside a link's value into a change of the complete value. */
function wholeChange(
  definition: Definition,
  { records, inputs }: PostWrite,
  { path, from, to }: Change,
): { from: Json; to: Json } {
  const [name] = path;
  const isWhole = path.length === 1;
  const before = isWhole ? from : records.observed[String(name)];
  const after = isWhole ? to : modelOfInputs(definition, inputs)[String(name)];
  return { from: plainOf(asKnown(before ?? null)), to: plainOf(asKnown(after ?? null)) };
}

/**
 * The inputs that the program has applied so far. A link whose request failed has its last applied value. An additive link
 * also has every element that the request may have written. No such element may ever count as someone else's.
 * @param there the object after a rejected request: an element that it does not show was not written
 */
export function appliedInputs(
  definition: Definition,
  { records, inputs }: PostWrite,
  unwritten: ReadonlySet<string>,
  there?: Model,
): KnownInputs {
  const done = selectInputs(inputs, (name) => !unwritten.has(name));
  const additive = fieldsOf(definition).filter(({ name, facts }) => facts.additive && unwritten.has(name));
  const both: Record<string, Json> = {};
  for (const { name } of additive) {
    const before = listIn(records.observed[name]);
    const now = there && listIn(there[name]);
    // An element that was observed before, and was never ours, cannot come from our write.
    const own = listIn(inputs[name]).filter(
      (element) => !before.includes(element) && (now?.includes(element) ?? true),
    );
    const elements = [...listIn(records.lastApplied[name]), ...own];
    if (elements.length > 0) both[name] = [...new Set(elements)];
  }
  return { ...done, ...pick(records.lastApplied, unwritten), ...both };
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
