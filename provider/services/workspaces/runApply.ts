import {
  ActionableError,
  errorFrom,
  isSuccess,
  type ProcedureInput,
  post,
  probeAfter,
  rerunUp,
  sendOnce,
} from "../../core";
import { isConfirmable, type RunBody, readRun, workspaceIn } from "./runStatus";

const apply = post("/runs/{runId}/actions/apply", { expects: "accepted" });

/**
 * Applies the plan of a run. A rejection is no failure if someone else has applied or discarded the plan: the wait shows that.
 * @throws ServiceError if the server rejects it; ActionableError if the response is lost and the run still waits
 */
export async function applyPlan({ context, address }: ProcedureInput, { id }: RunBody): Promise<void> {
  const place = { ...address, runId: id };
  const isWaiting = async (asking: ProcedureInput["context"]) => {
    const run = await readRun(asking, place);
    return run !== undefined && isConfirmable(run);
  };
  const { answer, lost } = await sendOnce(context, apply, place);
  if (lost === undefined) {
    if (isSuccess(answer) || !(await isWaiting(context))) return;
    throw errorFrom(context, answer, apply, place);
  }
  const isStill = await probeAfter(context, lost, async (asking) => {
    const found = await isWaiting(asking);
    return { isApplied: !found, found };
  });
  if (!isStill) return;
  throw new ActionableError(
    `${workspaceIn(address)}: the response to the apply request of run ${id} was lost: ${lost.summary} The run still waits for it.`,
    [rerunUp(" to apply the plan, unless it is applied by then")],
    { outcome: "unknown", isNotShown: true },
  );
}
