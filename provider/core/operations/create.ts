import { compareWithPrediction } from "../diff/predict";
import { missingIn } from "../diff/queries";
import { ServiceError } from "../http/errors";
import { ActionableError, manualCheck, rerunUp } from "../http/remedies";
import type { HttpResponse } from "../http/request";
import { MAX_CLOCK_SKEW_MS, readsBeforeCreate } from "../language/creation";
import type { Address, KnownInputs, Observation } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import { errorFrom } from "../requests/observe";
import { type ProbedObject, type ProbeRead, unknownError } from "../requests/probe";
import { sendObject, type Write, writeToCreate } from "../requests/write";
import { plannedChanges } from "../state/changes";
import { neverObserved, type Records } from "../state/records";
import { addressToCreate, canFind, type ExistingObject, find, matchCreated, neverShown } from "./find";
import { finish } from "./write/finish";
import { done, runWrite, type WriteStrategy } from "./write/loop";
import { probeAuthorship } from "./write/ownership";
import { pendingCreateError } from "./write/pending";
import type { Finished } from "./write/result";

/** The maximum number of rejections of a create as already existing, if the server does not show the object. */
const MOST_REFUSALS = 2;

/** The result of {@link createIfAbsent}. */
type Creation = { readonly kind: "created"; readonly finished: Finished } | ExistingObject;

/**
 * Creates the object of these inputs if it is absent. After an inconclusive response it looks for the object: one with all
 * written values counts as created.
 * @throws PartialError, ServiceError
 */
export async function createIfAbsent(context: ObjectContext, inputs: KnownInputs): Promise<Creation> {
  const { definition } = context;
  const address = await addressToCreate(context, inputs);
  const found = readsBeforeCreate(definition.life) ? await find(context, address, inputs) : undefined;
  if (found !== undefined) return { kind: "exists", found };
  return runWrite(context, createStrategy(context, address, inputs));
}

/** The create of an object, if it is absent. */
function createStrategy(
  context: ObjectContext,
  address: Address,
  inputs: KnownInputs,
): WriteStrategy<ProbedObject, Creation> {
  const { definition, connection } = context;
  const isReadBefore = readsBeforeCreate(definition.life);
  const blank = neverObserved(address);
  const work = { context, records: blank, inputs, changes: linkChanges(definition, blank, inputs) };
  const { precondition } = definition.life.writes;
  let write = writeToCreate(definition, address, inputs);
  const asked = connection.runtime.now();
  const created = (finished: Finished) => ({ kind: "created", finished }) as const;
  const finishWith = async (found: ProbedObject) =>
    created(await finish({ ...work, records: { ...blank, address: found.address }, found }));
  /** The error of the last attempt with an unknown outcome. */
  let doubt: ServiceError | undefined;
  let refusals = 0;
  return {
    isBasedOnRead: isReadBefore,

    send: (asking) => sendObject(asking, write),

    applied: async (response) => done(created(await finish({ ...work, response, write }))),

    probe: async (asking) => compareWithCreate(context, await find(asking, address, inputs), write, asked),

    shown: ({ found }) => finishWith(found),

    async read(cause) {
      if (cause.kind !== "preconditionFailed") return find(context, address, inputs);
      const found = await foundAfterRefusal(context, write, cause.answer, inputs);
      const remains = found === undefined ? await precondition?.remains?.(context, address) : undefined;
      if (remains !== undefined) write = { ...write, precondition: precondition?.members(remains) };
      return found;
    },

    async conclude(found, cause) {
      const isRefused = cause.kind === "preconditionFailed";
      if (cause.kind === "unknown") doubt = cause.error;
      if (found === undefined) {
        const isLost =
          cause.kind === "unknown" && cause.verdict === "notShown" && !canFind(definition, inputs);
        if (isLost) throw unknownError(cause, rerunUp());
        return undefined;
      }
      // After an unknown outcome, the probe has already compared the object. Otherwise, an identical object is this create's
      // own, sent twice, if the object was absent before or an earlier attempt had an unknown outcome. With values that the
      // server never shows, no one knows if the object is identical.
      const isShown = neverShown(definition, inputs).length === 0;
      const isComparable =
        cause.kind !== "unknown" && (doubt !== undefined || (isRefused && isReadBefore && isShown));
      const own = isComparable ? await compareWithCreate(context, found, write, asked) : undefined;
      if (own?.isApplied) return done(await finishWith(own.found));
      return done({ kind: "exists", found, doubt, ...(isRefused && { isRefused }) });
    },

    rebase(_, cause) {
      if (cause.kind !== "preconditionFailed") return;
      refusals += 1;
      if (refusals < MOST_REFUSALS) return;
      throw new ActionableError(
        `${context.name(address)}: the server reports that the object exists, but does not return the object.`,
        [manualCheck("The token may lack the permission to read the object: check the token's permissions.")],
      );
    },

    unknown: (outcome) =>
      outcome.verdict === "undecided"
        ? pendingCreateError(context, address, inputs, outcome)
        : unknownError(outcome, rerunUp()),

    exhaustedError: () =>
      new ActionableError(`${context.name(address)} keeps changing, and was not created.`, [rerunUp()]),
  };
}

/**
 * Reads the existing object after the server rejected the create because of it.
 * @throws ActionableError with the rejection and the read's error, if the read fails
 */
async function foundAfterRefusal(
  context: ObjectContext,
  { address, route }: Write,
  refusal: HttpResponse,
  inputs: KnownInputs,
): Promise<Observation | undefined> {
  try {
    return await find(context, address, inputs);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The rejection's advice would name an owner, so the error uses only the bare message.
    const { problem: what } = errorFrom(context, refusal, route, address, "write");
    throw new ActionableError(`${what}. It is unknown who created the existing object: ${error.summary}`, [
      rerunUp(),
    ]);
  }
}

/**
 * Decides after an inconclusive response if the object found comes from this create, or may come from it. An object that was
 * absent before and contains every written value comes from it.
 */
async function compareWithCreate(
  context: ObjectContext,
  found: Observation | undefined,
  write: Write,
  asked: number,
): Promise<ProbeRead<ProbedObject>> {
  const { definition } = context;
  const { recognition } = definition.life.creation;
  if (found === undefined) return { isApplied: false };
  if (recognition?.recognize) {
    const own = matchCreated(recognition, found, write.inputs);
    return own ? { isApplied: true, found: own } : { isApplied: false, found };
  }
  const createdAt = recognition && found.body[recognition.creationTimeMember];
  if (typeof createdAt === "string" && Date.parse(createdAt) < asked - MAX_CLOCK_SKEW_MS)
    return { isApplied: false, found };
  const isHeld = missingIn(definition, write.inputs, found).length === 0;
  if (isHeld && isAsCreated(definition, write.inputs, found)) return { isApplied: true, found };
  return probeAuthorship(context, write, found, isHeld);
}

/**
 * True if no one can have added to the object since its create. Either its values are as predicted, or the server shows that
 * no one has written it since.
 */
function isAsCreated(definition: Definition, inputs: KnownInputs, found: Observation): boolean {
  const { check } = definition.life;
  const isUnchanged = check?.proof === "repeated" && check.isNeverUpdated(found.body);
  return isUnchanged || compareWithPrediction(definition, inputs, {}, found).unexplained.length === 0;
}

function linkChanges(definition: Definition, blank: Records, inputs: KnownInputs) {
  const later = definition.life.links.filter((link) => !link.isCreatedWith);
  const linked = new Set(later.map((link) => link.field));
  return linked.size === 0
    ? []
    : plannedChanges(definition, blank, inputs).filter(({ field }) => linked.has(field.name));
}
