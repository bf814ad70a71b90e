// After a write: whether the object, as read back, is the result of this write.

import { type Difference, differencesIn } from "../../compare/comparison";
import { formsIn } from "../../compare/forms";
import { type Model, modelOfBody } from "../../compare/model";
import type { Movement } from "../../compare/movements";
import type { ServiceError } from "../../http/errors";
import type { HttpAnswer } from "../../http/request";
import { AdvisedError, upAgain } from "../../http/waysOn";
import type { KnownInputs, Observation, Values } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import type { CheckAndSet, NamedIndex } from "../../language/writes";
import type { Sighting } from "../../requests/probe";
import { replay, stillHolds, type Write } from "../../requests/write";
import { movementTable } from "../../state/conflict";
import { type Records, recordsAfterWrite } from "../../state/records";
import { secretMapOf } from "../../state/redaction";
import { conflict } from "../conflicts";
import { planUpdate } from "../planned";
import { compareWithPrediction, type Prediction } from "./baseline";
import { isAnswer, type PostWrite, type ProbedObject } from "./result";

/** The result of a verification. */
export interface Verdict {
  readonly records: Records;
  /** Someone wrote right after this write, or the service could not be asked whether someone did. */
  readonly error?: Error;
}

/** What is known of the object after a write. */
interface Result {
  /** The object by the response to the write, if that contains it, or as a probe found it. */
  readonly own: Observation | undefined;
  /** The object as read back. */
  readonly observation: Observation;
  /** True if the write was replayed, so that its first response no longer applies. */
  readonly isReplayed: boolean;
}

/**
 * Verifies that the object read back is the result of the write. A later edit by someone else would otherwise count as a value
 * that the service chose. Undefined if nothing needs to be verified: the response itself contains the object.
 */
export async function verifyWrite(
  context: ObjectContext,
  { records: before, inputs, write, answer }: PostWrite,
  { own, observation, isReplayed }: Result,
): Promise<Verdict | undefined> {
  if (answer === undefined) return undefined;
  if (!isAnswer(answer))
    return answer.isUnproven ? acceptUnproven(context, before, inputs, observation) : undefined;
  if (write === undefined || own !== undefined || isReplayed) return undefined;
  return verifyByRevision(context, before, { write, answer, observation });
}

/** A write with its response, and the object read after it. */
interface ReadBack {
  readonly write: Write;
  readonly answer: HttpAnswer;
  readonly observation: Observation;
}

async function verifyByRevision(
  context: ObjectContext,
  before: Records,
  readBack: ReadBack,
): Promise<Verdict> {
  const { definition } = context;
  const { write, answer, observation } = readBack;
  const { inputs } = write;
  const records = recordsAfterWrite(definition, inputs, observation);
  const prediction = compareWithPrediction(definition, inputs, before.baseline, observation);
  const { expected, unexplained } = prediction;
  const isOnlyMore = unexplained.every(({ from }) => from === undefined);
  const { check } = definition.life;
  if (check === undefined) {
    // Only a written value that came back as another one is reported: the service itself may have added values.
    const movements = unexplained.filter(({ from }) => from !== undefined).map(asMovement);
    if (movements.length > 0) warn(context, inputs, movements, OTHERWISE);
    return { records };
  }
  if (check.proof === "repeated" && check.refusesEqual?.(observation.body))
    return { records: asDrift(context, records, inputs, prediction, OTHERWISE) };
  // The index in the response belongs to another object. The object is accepted if it holds every written value.
  if (check.proof === "named" && !isOwnIndex(check, readBack) && isOnlyMore) return { records };
  let failure: ServiceError | undefined;
  const isChanged = await wasChangedSince(context, check, readBack, unexplained.length > 0, (error) => {
    failure = error;
  });
  if (isChanged === undefined)
    return unverified(records, before, expected, failure ? `${UNVERIFIED} ${failure.told}` : UNVERIFIED);
  if (!isChanged) return { records };
  const exact =
    check.proof === "named"
      ? await check.exact(context, observation.address, check.named(answer))
      : undefined;
  const settled = exact ? modelOfBody(definition, exact, inputs) : expected;
  const forms = formsIn(definition, inputs);
  const movements = differencesIn(definition, settled, records.observed, forms).map(asMovement);
  if (movements.length === 0) return { records };
  const error = conflict(context, before, inputs, observation, movements, { afterOurs: true });
  return { records: { ...records, baseline: settled }, error };
}

/**
 * Whether an object that a probe found is the result of the write, although it holds more. The service is asked by a replay of
 * the write: it accepts the replay only if it added the other values itself.
 * @param isHeld true if the object holds all written values, which decides if the service cannot be asked
 */
export async function probeAuthorship(
  context: ObjectContext,
  write: Write,
  found: Observation,
  isHeld: boolean,
): Promise<Sighting<ProbedObject>> {
  if (context.definition.life.check?.proof !== "repeated") return { isApplied: isHeld, found };
  const holds = await stillHolds(context, write, found);
  if (holds ?? isHeld) return { isApplied: true, found: holds ? found : { ...found, isUnproven: true } };
  return { isApplied: false, found, isUndecided: holds === undefined };
}

/** Accepts an object that a probe found, and that holds all written values, although the service could not be asked. */
function acceptUnproven(
  context: ObjectContext,
  before: Records,
  inputs: KnownInputs,
  observation: Observation,
): Verdict {
  const { definition } = context;
  const { check } = definition.life;
  const records = recordsAfterWrite(definition, inputs, observation);
  const prediction = compareWithPrediction(definition, inputs, before.baseline, observation);
  const isNeverTold = check?.proof === "repeated" && check.refusesEqual?.(observation.body);
  return isNeverTold || prediction.unexplained.length === 0
    ? { records: asDrift(context, records, inputs, prediction, HELD_BESIDE) }
    : unverified(records, before, prediction.expected, ACCEPTED);
}

/** Reports the differences from the write whose author is unknown, and records them as drift. */
function asDrift(
  context: ObjectContext,
  records: Records,
  inputs: KnownInputs,
  { expected, unexplained }: Prediction,
  text: string,
): Records {
  if (unexplained.length === 0) return records;
  warn(context, inputs, unexplained.map(asMovement), text);
  return { ...records, baseline: expected };
}

/** The result if the service could not be asked who caused the differences. The next update asks with the same revision. */
function unverified(records: Records, before: Records, expected: Model, text: string): Verdict {
  const { revision: _, ...rest } = records;
  const { revision } = before;
  return {
    records: {
      ...rest,
      baseline: expected,
      observed: expected,
      pending: { kind: "unverified", reason: text },
      ...(revision !== undefined && { revision }),
    },
    error: new AdvisedError(text, [upAgain(", which asks again")]),
  };
}

/**
 * Replays a write that was confirmed but not applied. Consul confirms a write of equal values, too. If the index did not change
 * although a value should have, the write is sent once more with the same revision.
 */
export async function replayIfNotApplied(
  context: ObjectContext,
  { records, inputs, write }: PostWrite,
  found: Observation,
): Promise<boolean> {
  if (write?.revision === undefined || found.revision !== write.revision) return false;
  const { definition } = context;
  const seen = modelOfBody(definition, found.body, inputs);
  if (planUpdate(definition, { ...records, observed: seen }, inputs).remote.length === 0) return false;
  return (await replay(context, write)) === true;
}

/** True if the index in a response can be that of this write. */
function isOwnIndex(check: NamedIndex, { write, answer, observation: { body } }: ReadBack): boolean {
  const named = check.named(answer);
  return named === undefined || check.isStill(named, body) || check.isOwn(named, body, write.revision);
}

/** True if someone wrote after this write; undefined if the service could not be asked. */
async function wasChangedSince(
  context: ObjectContext,
  check: CheckAndSet,
  { write, answer, observation }: ReadBack,
  hasUnexplained: boolean,
  onFailure: (error: ServiceError) => void,
): Promise<boolean | undefined> {
  if (check.proof === "named") {
    const named = check.named(answer);
    return named !== undefined && !check.isStill(named, observation.body);
  }
  if (!hasUnexplained || check.isUntouched(observation.body)) return false;
  const holds = await stillHolds(context, write, observation, onFailure);
  return holds === undefined ? undefined : !holds;
}

/** A difference from a write, as a change by someone else. */
export function asMovement({ path, field, from, to }: Difference): Movement {
  return { path, field, base: from, ours: from, theirs: to };
}

function warn(context: ObjectContext, inputs: Values, movements: readonly Movement[], text: string): void {
  const table = movementTable(movements, secretMapOf(context.definition, inputs, context.redactor));
  context.log("warning", [text, ...table].join("\n"));
}

const ACCEPTED =
  "whether it was written could not be asked: what is there holds all of it, and is otherwise beside that, by the service or by somebody.";

const UNVERIFIED =
  "it was written, and what was read back is otherwise than that: the service added to it, or somebody wrote after it, which could not be asked.";

const OTHERWISE =
  "it does not hold what was just written: the service made it another value, or somebody was faster:";

const HELD_BESIDE =
  "it holds all that was to be written, and is otherwise beside that, by the service or by somebody:";
