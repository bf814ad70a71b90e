import type { Change } from "../../compare/changes";
import { modelOfBody } from "../../compare/model";
import type { HttpAnswer } from "../../http/request";
import { idOfInputs } from "../../language/address";
import type { KnownInputs, Observation } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import type { LinksToRead } from "../../requests/observe";
import type { Write } from "../../requests/write";
import { PartialError } from "../../state/failures";
import { outputsOf } from "../../state/outputs";
import type { Pending, Records } from "../../state/records";

/** The result of a write: the records, and the object as last read; no object if nothing was sent. */
export interface Finished {
  readonly records: Records;
  readonly inputs: KnownInputs;
  readonly body?: Observation["body"];
}

/** The object that a probe found after a write with an unknown outcome. */
export interface ProbedObject extends Observation {
  /** True if it holds all written values, and others whose author is unknown because the service could not be asked. */
  readonly isUnproven?: true;
}

/** True for the response to a write, and false for an object that a probe found. */
export function isAnswer(answer: HttpAnswer | ProbedObject): answer is HttpAnswer {
  return "status" in answer;
}

/** The work after the main write. */
export interface PostWrite {
  /** The records that the write was based on. */
  readonly records: Records;
  readonly inputs: KnownInputs;
  readonly links: LinksToRead;
  /** The changes of which the service is informed. */
  readonly changes: readonly Change[];
  /** The response to the write, or the object that a probe found. */
  readonly answer?: HttpAnswer | ProbedObject;
  /** The write, if its response is known. */
  readonly write?: Write;
}

/** The records of an object as it was found. */
export function recordsAsFound(
  { definition }: Pick<ObjectContext, "definition">,
  found: Observation,
  applied: KnownInputs,
  inputs: KnownInputs,
): Records {
  const seen = modelOfBody(definition, found.body, inputs);
  const { address, revision } = found;
  return {
    address,
    lastApplied: applied,
    baseline: seen,
    observed: seen,
    ...(revision !== undefined && { revision }),
  };
}

/** A write of which a part failed. */
export const incomplete = ({ message }: Error): Pending => ({ kind: "incomplete", reason: message });

/** The error of a step that leaves a resource in the state: its id, its live values, and why it is incomplete. */
export function partial(
  context: ObjectContext,
  records: Records,
  inputs: KnownInputs,
  body: Observation["body"],
  reason: Error,
): PartialError {
  const { definition, connection } = context;
  const id = idOfInputs(definition, connection, records.address, inputs);
  return new PartialError(id, outputsOf(definition, { ...inputs }, records, body), inputs, reason);
}
