import {
  ActionableError,
  type Address,
  type BlockedByOthers,
  del,
  deletes,
  elementsIn,
  follow,
  get,
  isObject,
  NotSent,
  type ObjectHookContext,
  type Observation,
  removeOnce,
  rerunUp,
  ServiceError,
  type Values,
} from "../../core";
import { inScope as query } from "./service";

const volume = get("/volume/host/{volumeId}", { query });
const removal = del("/volume/host/{volumeId}/delete", { query, expects: ["Index"] });

/** Nomad changes and deletes no volume that an allocation claims. */
export const volumeInUse: BlockedByOthers = {
  isBlocked: (error) =>
    error instanceof ServiceError &&
    /volume \S+ in use by alloc|cannot update a volume in use: claimed by allocs/.test(error.words),
  order:
    "stop the jobs whose allocations use the volume first; if this program also stops the job, use the volume's name output as the source in the job, so that the job is stopped first",
};

/** How long a delete waits before it looks at stopping allocations again, in milliseconds. */
const PAUSE_MS = 1000;

/** The delete of a volume. It waits for allocations that are stopping, within the operation's timeout. */
export const volumeDeletion = deletes(removal, {
  doc: "Nomad rejects the delete while an allocation uses the volume, so the job must be stopped first. A delete waits for allocations that are stopping.",
  perform: removeVolume,
});

async function removeVolume(
  context: ObjectHookContext,
  address: Address,
  _: Values,
  { body }: Observation,
): Promise<void> {
  const { connection, deadline, signal } = context;
  const { runtime } = connection;
  if (isStopping(body) && runtime.now() + PAUSE_MS < deadline && !signal?.aborted) {
    context.progress?.("waits for the allocations that use the volume to stop");
    await runtime.sleep(PAUSE_MS, signal).catch(() => undefined);
    // The volume is read again, and compared again.
    throw new NotSent();
  }
  await removeOnce(context, removal, address);
}

/** True if allocations use the volume, and Nomad is stopping all of them. */
function isStopping({ Allocations: claims }: Observation["body"]): boolean {
  const allocations = elementsIn(claims ?? null).filter(isObject);
  return allocations.length > 0 && allocations.every(({ DesiredStatus }) => DesiredStatus === "stop");
}

/** Waits until the node offers the volume, so that Nomad can place the allocations of a job that mounts it. */
export async function untilReady(
  context: ObjectHookContext,
  _: Values,
  { address, body }: Observation,
): Promise<Record<string, never>> {
  if (body.State === "ready") return {};
  const name = context.name(address);
  const unfinished = (problem: string) =>
    new ActionableError(`${name}: ${problem}. The volume is stored.`, [rerunUp(" to continue waiting")], {
      outcome: "applied",
    });
  await follow(
    context,
    { route: volume, address },
    (answer) => {
      if (!isObject(answer) || answer.ID !== address.volumeId)
        throw unfinished("the server returned an object other than the volume");
      return answer.State === "ready" ? true : undefined;
    },
    () => unfinished("the node has not reported the volume within the timeout of this operation (timeouts)"),
  );
  return {};
}
