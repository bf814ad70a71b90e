import { modelOfBody } from "../../compare/model";
import type { Observation } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import { bodyForUpdate } from "../../requests/body";
import { stillHolds } from "../../requests/write";
import { isPerhapsMade, type Records } from "../../state/records";
import { plannedChanges } from "../planned";
import { holdsWrite, isUntouched, sending } from "./dropped";

/**
 * Records with a write of ours of which nobody knew whether it was carried out, or what came of it. The service may spell
 * it otherwise, and add to it: the same write with its old index is taken where just that is held, and changes nothing.
 * @returns the records as after that write where it is proven; else as they were
 */
export async function provenAttempt(
  context: ObjectContext,
  records: Records,
  current: Observation,
): Promise<Records> {
  const { definition } = context;
  const attempted = records.attempted ?? (records.unread ? records.applied : undefined);
  // Without its index it would be written whatever is there.
  if (attempted === undefined || records.token === undefined || isPerhapsMade(records)) return records;
  if (definition.life.check?.proof !== "repeated" || isUntouched(definition, records, current))
    return records;
  // What it shows whole needs no other proof.
  if (records.attempted && holdsWrite(definition, records, attempted, current)) return records;
  const { update, completes } = definition.life.writes;
  const changes = sending(plannedChanges(definition, records, attempted));
  const own = bodyForUpdate(definition, attempted, changes, {});
  const body = completes?.(own, { inputs: attempted, applied: records.applied, current: {} }) ?? own;
  const { address, token, attempted: _, unread: __, ...rest } = records;
  const isHeld = await stillHolds(
    context,
    { route: update, address, body, inputs: attempted, token },
    current,
  );
  if (isHeld !== true) return records;
  const now = modelOfBody(definition, current.body, attempted);
  return {
    ...rest,
    address,
    applied: attempted,
    settled: now,
    seen: now,
    ...(current.token !== undefined && { token: current.token }),
  };
}
