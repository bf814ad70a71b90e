// After a write: whether the object, as read back, is the result of this write.

import { formsIn } from "../../diff/forms";
import { type Model, modelOfBody } from "../../diff/models";
import { compareWithPrediction, type Prediction } from "../../diff/predict";
import { differencesIn } from "../../diff/queries";
import type { Difference } from "../../diff/threeWay";
import { ServiceError } from "../../http/errors";
import { ActionableError, rerunUp } from "../../http/remedies";
import type { HttpAnswer } from "../../http/request";
import type { Address, KnownInputs, Observation, Values } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import { type CheckAndSet, type NamedIndex, ONLY_IF_ABSENT } from "../../language/writes";
import { probeContext } from "../../requests/probe";
import { stillHolds, type Write } from "../../requests/write";
import { conflictTable } from "../../state/conflictTable";
import { propertiesOf } from "../../state/errors";
import type { Records } from "../../state/records";
import { secretMapOf } from "../../state/redaction";
import { wholeIn } from "../../value/scalar";
import { conflict } from "../conflicts";
import {
  ACCEPTED,
  CHANGED_SINCE,
  type Doubt,
  extendDoubt,
  HELD_BESIDE,
  OTHERWISE,
  UNVERIFIED,
} from "./doubt";
import type { PostWrite } from "./result";

/** The result of a verification. */
interface Verdict {
  readonly records: Records;
  /** Someone wrote right after this write, or the service could not be asked whether someone did. */
  readonly error?: Error;
}

/** The object after a write. */
interface Result {
  /** The object by the response to the write, if that contains it, or as a probe found it. */
  readonly own: Observation | undefined;
  /** The object as read back, and the records of it. */
  readonly observation: Observation;
  readonly records: Records;
  /** True if the write was replayed, so that its first response no longer applies. */
  readonly isReplayed: boolean;
}

/** An object as read back, compared with the prediction for its write. */
interface Compared extends Pick<Result, "observation" | "records"> {
  readonly prediction: Prediction;
}

/**
 * Verifies that the object read back is the result of the write. A later edit by someone else would otherwise count as a value
 * that the service chose. Nothing needs to be verified if the response itself contains the object.
 */
export async function verifyWrite(
  context: ObjectContext,
  work: PostWrite,
  { own, observation, records, isReplayed }: Result,
): Promise<Verdict> {
  const { inputs, response, found, write } = work;
  if (response ? own !== undefined || isReplayed : !found?.isUnproven) return { records };
  const { baseline } = work.records;
  const prediction = compareWithPrediction(context.definition, inputs, baseline, observation);
  const compared = { observation, records, prediction };
  if (response === undefined) return acceptUnproven(context, work, compared);
  return write ? verifyByRevision(context, work, { ...compared, write, response }) : { records };
}

/** A write that its response confirms, and the object read after it. */
interface Confirmed extends Compared {
  readonly write: Write;
  readonly response: HttpAnswer;
}

async function verifyByRevision(
  context: ObjectContext,
  { records: before, inputs }: PostWrite,
  confirmed: Confirmed,
): Promise<Verdict> {
  const { definition } = context;
  const { response, observation, records, prediction } = confirmed;
  const { expected, unexplained } = prediction;
  const isOnlyMore = unexplained.every(({ ours }) => ours === undefined);
  const { check } = definition.life;
  if (check === undefined) {
    // Only a written value that came back as another one is reported: the service itself may have added values.
    const differences = unexplained.filter(({ ours }) => ours !== undefined);
    if (differences.length > 0) warn(context, inputs, differences, OTHERWISE);
    return { records };
  }
  if (check.proof === "repeated" && check.refusesEqual?.(observation.body))
    return { records: asDrift(context, records, inputs, prediction, OTHERWISE) };
  // The response names the index of a different write. The object is accepted if it holds every written value.
  if (check.proof === "named" && !isOwnIndex(check, confirmed) && isOnlyMore) return { records };
  let failure: ServiceError | undefined;
  const isChanged = await wasChangedSince(context, check, confirmed, unexplained.length > 0, (error) => {
    failure = error;
  });
  if (isChanged === undefined)
    return unverifiedVerdict(
      records,
      before,
      expected,
      failure ? extendDoubt(UNVERIFIED, failure) : UNVERIFIED,
    );
  if (!isChanged) return { records };
  let settled = expected;
  if (check.proof === "named") {
    const isOwn = (revision: bigint) => String(revision) === check.named(response);
    settled = (await storedVersion(context, check, observation.address, inputs, isOwn)) ?? expected;
  }
  const forms = formsIn(definition, inputs);
  const differences = differencesIn(definition, settled, records.observed, forms);
  if (differences.length === 0) return { records };
  const error = conflict(context, before, inputs, observation, differences, { ownWrite: "applied" });
  return { records: { ...records, baseline: settled }, error };
}

/**
 * Accepts an object that a probe found, and that holds all written values, although the service could not be asked. What it
 * holds beside them shows as drift if the service's versions show that it came later, or if no later replay of the write can
 * tell who added it.
 */
async function acceptUnproven(context: ObjectContext, work: PostWrite, compared: Compared): Promise<Verdict> {
  const { records: before, inputs } = work;
  const { observation, records, prediction } = compared;
  const { check } = context.definition.life;
  if (check?.proof === "named") return compareWithFirstVersion(context, check, work, compared);
  const isNeverTold = check?.refusesEqual?.(observation.body);
  return isNeverTold || prediction.unexplained.length === 0
    ? { records: asDrift(context, records, inputs, prediction, HELD_BESIDE) }
    : unverifiedVerdict(records, before, prediction.expected, ACCEPTED);
}

/**
 * Compares an object with the version that the first write after the known revision left. Later writes are not ours, because
 * ours would have been refused. Accepts the object if the service does not show its versions.
 */
async function compareWithFirstVersion(
  context: ObjectContext,
  check: NamedIndex,
  { records: before, inputs }: PostWrite,
  compared: Compared,
): Promise<Verdict> {
  const { definition } = context;
  const { observation, records, prediction } = compared;
  const known = BigInt(before.revision ?? ONLY_IF_ABSENT);
  let expected: Model | undefined;
  try {
    // The write is done, so neither the deadline nor a cancel ends this read.
    const asking = probeContext(context);
    const isLater = (revision: bigint) => revision > known;
    expected = await storedVersion(asking, check, observation.address, inputs, isLater);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return unverifiedVerdict(records, before, prediction.expected, extendDoubt(ACCEPTED, error));
  }
  if (expected === undefined) return { records };
  const unexplained = differencesIn(definition, expected, records.observed, formsIn(definition, inputs));
  return { records: asDrift(context, records, inputs, { expected, unexplained }, CHANGED_SINCE) };
}

/** The oldest stored version of an object whose revision passes a test. */
async function storedVersion(
  context: ObjectContext,
  check: NamedIndex,
  address: Address,
  inputs: KnownInputs,
  passes: (revision: bigint) => boolean,
): Promise<Model | undefined> {
  const version = (await check.versions(context, address)).find((body) => {
    const revision = wholeIn(body[check.token]);
    return revision !== undefined && passes(revision);
  });
  return version && modelOfBody(context.definition, version, inputs);
}

/** Reports the differences from the write whose author is unknown, and records them as drift. */
function asDrift(
  context: ObjectContext,
  records: Records,
  inputs: KnownInputs,
  { expected, unexplained }: Prediction,
  doubt: Doubt,
): Records {
  if (unexplained.length === 0) return records;
  warn(context, inputs, unexplained, doubt);
  return { ...records, baseline: expected };
}

/** The result if the service could not be asked who caused the differences. The next update asks with the same revision. */
function unverifiedVerdict(
  records: Records,
  before: Records,
  expected: Model,
  { text, facts }: Doubt,
): Verdict {
  return {
    records: {
      ...records,
      baseline: expected,
      observed: expected,
      pending: { kind: "unverified", reason: text },
      revision: before.revision,
    },
    error: new ActionableError(text, [rerunUp(" to check again")], facts),
  };
}

/** True if the index in a response can be that of this write. */
function isOwnIndex(check: NamedIndex, { write, response, observation: { body } }: Confirmed): boolean {
  const named = check.named(response);
  return named === undefined || check.isStill(named, body) || check.isOwn(named, body, write.revision);
}

/** True if someone wrote after this write; undefined if the service could not be asked. */
async function wasChangedSince(
  context: ObjectContext,
  check: CheckAndSet,
  { write, response, observation }: Confirmed,
  hasUnexplained: boolean,
  onFailure: (error: ServiceError) => void,
): Promise<boolean | undefined> {
  if (check.proof === "named") {
    const named = check.named(response);
    return named !== undefined && !check.isStill(named, observation.body);
  }
  if (!hasUnexplained || check.isUntouched(observation.body)) return false;
  const holds = await stillHolds(context, write, observation, onFailure);
  return holds === undefined ? undefined : !holds;
}

function warn(
  context: ObjectContext,
  inputs: Values,
  differences: readonly Difference[],
  { text, facts }: Doubt,
): void {
  const table = conflictTable(differences, secretMapOf(context.definition, inputs, context.redactor));
  context.log("warning", [text, ...table].join("\n"), { ...facts, properties: propertiesOf(differences) });
}
