import type { Deployment } from "../decide/deployment";
import { checkTargets } from "../decide/targeting";
import type { Executor } from "../execute/executor";
import { Bailed, reportError } from "../operation/bailed";
import type { Entry } from "../record/entry";
import { deleteTheRest } from "./deletes";
import { type EvaluationSetting, evaluate } from "./evaluate";
import { pendingWarning } from "./pending";
import { refresh } from "./refresh";

/** The phases of an operation: refresh, run the program, delete the remaining resources. */
export async function operate(
  deployment: Deployment,
  executor: Executor,
  setting: EvaluationSetting,
): Promise<void> {
  const { diagnostics, options, preview } = deployment;
  if (options.kind === "refresh" || options.refreshFirst) {
    await refresh(deployment, executor);
    judge(deployment, executor);
    if (options.kind === "refresh") return;
  } else if (deployment.ledger.base.entries.some(isRefreshedBeforeUpdate)) {
    await refresh(deployment, executor, isRefreshedBeforeUpdate);
    judge(deployment, executor);
  } else if (options.snapshot.pendingOperations.length > 0 && !preview) {
    diagnostics.warning(pendingWarning(options.snapshot.pendingOperations));
  }
  const rest = () => deleteRest(deployment, executor);
  const failure =
    options.kind === "destroy" ? await rest() : await evaluate(deployment, executor, setting, rest);
  await executor.idle();
  if (failure) throw failure;
  judge(deployment, executor);
}

/** The provider requested a refresh before each update. */
const isRefreshedBeforeUpdate = ({ state }: Entry) => state.refreshBeforeUpdate === true;

/** Deletes the remaining resources. Refusals are reported, and fail the operation at its end. */
async function deleteRest(deployment: Deployment, executor: Executor): Promise<Error | undefined> {
  const { error } = deployment.diagnostics;
  const missing = await reportError(error, async () => checkTargets(deployment));
  let refused = false;
  const failure = await reportError(error, async () => {
    try {
      await deleteTheRest(deployment, executor);
    } catch (reason) {
      if (!(reason instanceof Bailed)) throw reason;
      refused = true;
    }
  });
  return refused ? missing : (failure ?? missing);
}

/** Fails the operation after a failed step, a reported error, or the user's cancellation. */
function judge({ diagnostics, options, preview }: Deployment, executor: Executor): void {
  const kind = preview ? "preview" : "update";
  if (executor.failure || diagnostics.refused) {
    diagnostics.error(`${kind} failed`);
    throw new Bailed(executor.failure?.message ?? `${kind} failed`);
  }
  if (options.signal?.aborted) {
    diagnostics.error(`${kind} canceled`);
    throw new Bailed("canceled");
  }
}
