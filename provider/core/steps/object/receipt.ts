import { plainModel } from "../../compare/model";
import type { Observation } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import type { Receipt } from "../../language/writes";
import type { Records } from "../../state/records";
import { ofObject } from "./dropped";
import { isAnswer, type Unfinished } from "./unfinished";

/**
 * What is known of our last write: what its answer says; of one that is gone on with, what is on record; nothing of one
 * whose answer was lost, and nothing of an object that was taken over, which nobody here has written.
 */
export function receiptOf(
  { definition }: ObjectContext,
  { answer, records, changes }: Unfinished,
  observation: Observation,
): Receipt | undefined {
  if (answer !== undefined && isAnswer(answer))
    return definition.life.writes.receipt?.(answer.json ?? null, observation) ?? {};
  return ofObject(changes).length > 0 ? undefined : records.receipt;
}

/** Records with what is known of the write that they are of. */
export function withReceipt(records: Records, receipt: Receipt = {}): Records {
  const known = plainModel(receipt);
  return Object.keys(known).length === 0 ? records : { ...records, receipt: known };
}
