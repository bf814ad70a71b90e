// After a write: whether the object, as read back, is the result of this write.

import { formsIn } from "../../diff/forms";
import { type Model, modelOfBody } from "../../diff/models";
import { compareWithPrediction, type Prediction } from "../../diff/predict";
import { differencesIn } from "../../diff/queries";
import type { Difference } from "../../diff/threeWay";
import { ServiceError } from "../../http/errors";
import { ActionableError, type MessageFacts, rerunUp } from "../../http/remedies";
import type { HttpResponse } from "../../http/request";
import type { Observation } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import { ONLY_IF_ABSENT, type ReturnedIndex } from "../../language/writes";
import { probeContext } from "../../requests/probe";
import { stillHolds, type Write } from "../../requests/write";
import { conflictTable } from "../../state/conflictTable";
import { type PartialError, propertiesOf } from "../../state/errors";
import type { Records } from "../../state/records";
import { secretMapOf } from "../../state/redaction";
import { wholeIn } from "../../value/scalar";
import { conflict } from "../conflicts";
import { partial, type Written } from "./result";

/** The description of an object that differs from what was written. */
interface Doubt {
  readonly text: string;
  readonly facts: MessageFacts;
}

const ACCEPTED: Doubt = {
  text: "the write's result could not be confirmed: the object has all written values, but the server or someone else also changed other values.",
  facts: { changedBy: "unknown" },
};

const UNVERIFIED: Doubt = {
  text: "the write was applied, but the object read back differs from the written values: either the server changed the values, or someone else wrote the object afterward.",
  facts: { outcome: "applied", changedBy: "unknown" },
};

const OTHERWISE: Doubt = {
  text: "the object does not have the values just written: the server changed them, or someone else wrote at the same time:",
  facts: { outcome: "applied", changedBy: "unknown" },
};

const HELD_BESIDE: Doubt = {
  text: "the object has all written values, but the server or someone else also changed other values:",
  facts: { changedBy: "unknown" },
};

const CHANGED_SINCE: Doubt = {
  text: "the object has all written values, and someone else has changed it since:",
  facts: { changedBy: "someoneElse" },
};

/** The object read back after a write, compared with the prediction for the write. */
interface Compared {
  readonly work: Written;
  readonly observation: Observation;
  /** The records of the object as read back. */
  readonly records: Records;
  readonly prediction: Prediction;
}

/**
 * Verifies that the object read back is the result of the write. A later edit by someone else would otherwise count as a value
 * that the service chose. Nothing needs to be verified if the response itself contains the object.
 * @returns the records after the write
 * @throws PartialError if someone wrote right after this write, or if the service could not be asked whether someone did
 */
export async function verifyWrite(
  work: Written,
  observation: Observation,
  records: Records,
): Promise<Records> {
  const { context, inputs, response, found, write, own } = work;
  if (response ? own !== undefined : !found?.isUnproven) return records;
  const { baseline } = work.records;
  const prediction = compareWithPrediction(context.definition, inputs, baseline, observation);
  const back = { work, observation, records, prediction };
  if (response === undefined || write === undefined) return acceptUnproven(back);
  return verifyByRevision(back, write, response);
}

async function verifyByRevision(back: Compared, write: Write, response: HttpResponse): Promise<Records> {
  const { observation, records, prediction, work } = back;
  const { context, inputs } = work;
  const { definition } = context;
  const { expected, unexplained } = prediction;
  const { check } = definition.life;
  if (check === undefined) {
    // Only a written value that came back as another one is reported: the service itself may have added values.
    warn(
      work,
      unexplained.filter(({ ours }) => ours !== undefined),
      OTHERWISE,
    );
    return records;
  }
  let settled = expected;
  if (check.proof === "returned") {
    const { body } = observation;
    const named = check.returnedToken(response);
    if (named === undefined || check.isUnchangedSince(named, body)) return records;
    // If the response names the index of a different write, the object is accepted if it holds every written value.
    const isOnlyMore = unexplained.every(({ ours }) => ours === undefined);
    if (isOnlyMore && !check.isOwn(named, body, write.revision)) return records;
    settled =
      (await storedVersion(context, back, check, (revision) => String(revision) === named)) ?? expected;
  } else {
    if (check.rejectsIdentical?.(observation.body)) return asDrift(back, prediction, OTHERWISE);
    if (unexplained.length === 0 || check.isNeverUpdated(observation.body)) return records;
    let failure: ServiceError | undefined;
    const holds = await stillHolds(context, write, observation, (error) => {
      failure = error;
    });
    if (holds === undefined) throw unverifiedError(back, UNVERIFIED, failure);
    if (holds) return records;
  }
  const differences = differencesIn(definition, settled, records.observed, formsIn(definition, inputs));
  if (differences.length === 0) return records;
  const reason = conflict(work, observation, differences, { ownWrite: "applied" });
  throw partial(context, { ...records, baseline: settled }, { reason, body: observation.body });
}

/**
 * Accepts an object that a probe found, and that holds all written values, although the service could not be asked. What it
 * holds beside them shows as drift if the service's versions show that it came later, or if no later replay of the write can
 * tell who added it.
 */
async function acceptUnproven(back: Compared): Promise<Records> {
  const { work, observation, prediction } = back;
  const { check } = work.context.definition.life;
  if (check?.proof === "returned") return compareWithFirstVersion(back, check);
  const isNeverTold = check?.rejectsIdentical?.(observation.body);
  if (isNeverTold || prediction.unexplained.length === 0) return asDrift(back, prediction, HELD_BESIDE);
  throw unverifiedError(back, ACCEPTED);
}

/**
 * Compares an object with the version that the first write after the known revision left. Later writes are not ours, because
 * ours would have been refused. If the service does not show its versions, the object is compared with the prediction.
 */
async function compareWithFirstVersion(back: Compared, check: ReturnedIndex): Promise<Records> {
  const { work, records, prediction } = back;
  const { definition } = work.context;
  const known = BigInt(work.records.revision ?? ONLY_IF_ABSENT);
  let expected: Model | undefined;
  try {
    // The write is done, so neither the deadline nor a cancel ends this read.
    const context = probeContext(work.context);
    expected = await storedVersion(context, back, check, (revision) => revision > known);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw unverifiedError(back, ACCEPTED, error);
  }
  if (expected === undefined) return asDrift(back, prediction, HELD_BESIDE);
  const unexplained = differencesIn(definition, expected, records.observed, formsIn(definition, work.inputs));
  return asDrift(back, { expected, unexplained }, CHANGED_SINCE);
}

/** The oldest stored version of an object whose revision passes a test. */
async function storedVersion(
  context: ObjectContext,
  { work, observation }: Compared,
  check: ReturnedIndex,
  passes: (revision: bigint) => boolean,
): Promise<Model | undefined> {
  const version = (await check.versions(context, observation.address)).find((body) => {
    const revision = wholeIn(body[check.token]);
    return revision !== undefined && passes(revision);
  });
  return version && modelOfBody(context.definition, version, work.inputs);
}

/** Reports the differences from the write whose author is unknown, and records them as drift. */
function asDrift({ work, records }: Compared, { expected, unexplained }: Prediction, doubt: Doubt): Records {
  warn(work, unexplained, doubt);
  return unexplained.length === 0 ? records : { ...records, baseline: expected };
}

/** The error if the service could not be asked who caused the differences. The next update asks with the same revision. */
function unverifiedError(back: Compared, { text, facts }: Doubt, failure?: ServiceError): PartialError {
  const { work, observation, prediction } = back;
  const { expected } = prediction;
  const reason = failure ? `${text} ${failure.summary}` : text;
  const records: Records = {
    ...back.records,
    baseline: expected,
    observed: expected,
    pending: { kind: "unverified", reason },
    revision: work.records.revision,
  };
  const error = new ActionableError(reason, [rerunUp(" to check again")], facts);
  return partial(work.context, records, { reason: error, body: observation.body });
}

function warn({ context, inputs }: Written, differences: readonly Difference[], doubt: Doubt): void {
  if (differences.length === 0) return;
  const table = conflictTable(differences, secretMapOf(context.definition, inputs, context.redactor));
  context.log("warning", [doubt.text, ...table].join("\n"), {
    ...doubt.facts,
    properties: propertiesOf(differences),
  });
}
