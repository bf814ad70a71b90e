import { type Model, modelOfBody, modelOfInputs } from "../diff/models";
import { plainOf } from "../diff/project";
import type { Change } from "../diff/threeWay";
import { ActionableError, rerunUp } from "../http/remedies";
import { fieldNamed } from "../language/fields";
import type { Observation } from "../language/object";
import type { Link } from "../language/writes";
import { managedLinks, observe } from "../requests/observe";
import { unknownError } from "../requests/probe";
import { resultOf } from "../requests/writeResult";
import { plannedChanges } from "../state/changes";
import { isNeverObserved } from "../state/records";
import { pick } from "../value/json";
import { asKnown } from "../value/unknown";
import { assertNoConflict, linkDiff } from "./conflicts";
import { done, runWrite, type WriteStrategy } from "./write/loop";
import type { Written } from "./write/result";

/**
 * Writes each changed link with its own request, and adds the names of the finished ones to `written`. If a request was sent
 * since the object was read, reads a link once more before writing it.
 * @throws ConflictError if someone else has changed the link since the object was read.
 */
export async function writeLinks(work: Written, written: Set<string>): Promise<void> {
  const { context } = work;
  for (const link of context.definition.life.links) {
    const change = work.changes.find(({ field }) => field.name === link.field);
    if (change === undefined) continue;
    assertProbedUnchanged(work, link);
    const hasWritten = work.write !== undefined || written.size > 0;
    if (hasWritten) await assertLinkUnchanged(work, link);
    await runWrite(context, linkStrategy(work, link, change, hasWritten));
    written.add(link.field);
  }
}

/**
 * The write of one link. It repeats if a read shows that it was not applied.
 * @param hasWritten true if an earlier write of this update was applied
 */
function linkStrategy(
  work: Written,
  link: Link,
  change: Change,
  hasWritten: boolean,
): WriteStrategy<Observation, void> {
  const { context, address } = work;
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
        await link.write(asking, address, completeChange(work, change));
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
      assertNoConflict(work, found, linkDiff(work, link, modelIn(found), true), ownWrite);
    },

    unknown: (outcome) => unknownError(outcome, rerunUp()),

    exhaustedError: () =>
      new ActionableError(`${context.name(address)}: ${link.field} keeps changing.`, [rerunUp()]),
  };
}

/** @throws ConflictError if the object that a probe found shows someone else's change to the link during the main write */
function assertProbedUnchanged(work: Written, link: Link): void {
  const { context, found, inputs } = work;
  if (found === undefined) return;
  const now = modelOfBody(context.definition, found.body, inputs);
  assertNoConflict(work, found, linkDiff(work, link, now));
}

async function assertLinkUnchanged(work: Written, link: Link): Promise<void> {
  const { context, records, inputs, address } = work;
  if (isNeverObserved(records)) return;
  const body = { ...(await currentLink(work, link)) };
  const seen = pick(modelOfBody(context.definition, body, inputs), new Set([link.field]));
  const now = { ...records.observed, ...seen };
  assertNoConflict(work, { body, address }, linkDiff(work, link, now));
}

/** The current value of a link: from its own read, or from the response to the main write. */
async function currentLink(work: Written, link: Link): Promise<Observation["body"]> {
  const { context, records, address, own } = work;
  const body = own?.body ?? {};
  if (link.read === undefined) return body;
  const field = fieldNamed(context.definition, link.field);
  if (field === undefined) return {};
  const written = records.lastApplied[link.field];
  return { [field.wire]: await link.read(context, address, { written, body }) };
}

/** Turns a change inside a link's value into a change of the complete value. */
function completeChange(work: Written, { path, from, to }: Change): Parameters<Link["write"]>[2] {
  const { context, records, inputs } = work;
  const [name] = path;
  const isWhole = path.length === 1;
  const before = isWhole ? from : records.observed[String(name)];
  const after = isWhole ? to : modelOfInputs(context.definition, inputs)[String(name)];
  return { from: plainOf(asKnown(before ?? null)), to: plainOf(asKnown(after ?? null)), inputs };
}
