import { ActionableError, follow, type Json, rerunUp, stringIn } from "../../core";
import {
  listOf,
  type Members,
  members,
  newest,
  overdue,
  short,
  stillOurs,
  type Waiting,
} from "./jobFollowed";

/**
 * Waits for the evaluation of a register. Returns undefined if the register started no evaluation.
 * @param id the evaluation that the register started; empty if it started none, undefined if its response was lost
 * @throws Error if the evaluation failed, or if Nomad canceled it for someone else's register.
 */
export async function awaitEvaluation(waiting: Waiting, id: Json | undefined): Promise<Members | undefined> {
  if (id === "") return undefined;
  const { context, job, name } = waiting;
  let status = "unknown";
  const evaluation = await follow(
    context,
    listOf(waiting, "evaluations"),
    (answer): Members | "none" | undefined => {
      const found = members(answer).filter((one) =>
        id === undefined ? isOfRegister(one, job) : one.ID === id,
      );
      const latest = newest(found);
      // If the ID is unknown and no evaluation matches, the register started none.
      if (latest === undefined) return id === undefined ? "none" : undefined;
      if (latest.Status !== status)
        context.progress?.(`evaluation ${short(latest.ID)}: ${stringIn(latest.Status)}`);
      status = stringIn(latest.Status);
      return status === "pending" ? undefined : latest;
    },
    () => overdue(`${name}: the evaluation is still ${status}`),
  );
  if (evaluation === "none") return undefined;
  await requireSound(waiting, evaluation);
  return evaluation;
}

/**
 * Waits until a node takes the allocations that an evaluation could not place. Nomad keeps a blocked evaluation for them and
 * processes it again after a change.
 * @throws Error if that evaluation fails, or if someone stopped or replaced the job during the wait.
 */
export async function awaitPlacement(
  waiting: Waiting,
  evaluation: Members,
  unplaced: readonly string[],
): Promise<void> {
  const { context, name } = waiting;
  let id = evaluation.BlockedEval;
  const last = await follow(
    context,
    listOf(waiting, "evaluations"),
    (answer): Members | undefined => {
      const found = members(answer).find((one) => one.ID === id);
      if (found === undefined || found.Status === "blocked" || found.Status === "pending") return undefined;
      // Allocations that are still unplaced have a blocked evaluation of their own.
      if (found.Status !== "complete" || !found.BlockedEval) return found;
      id = found.BlockedEval;
      return undefined;
    },
    () => overdue(`${name}: not all allocations are placed`, unplaced),
  );
  await requireSound(waiting, last);
}

async function requireSound(waiting: Waiting, evaluation: Members): Promise<void> {
  // Nomad cancels an evaluation in favor of a newer one, which may come from someone else's register.
  if (evaluation.Status === "canceled") await stillOurs(waiting);
  if (evaluation.Status !== "failed") return;
  throw new ActionableError(
    `${waiting.name}: the evaluation ${short(evaluation.ID)} failed: ${stringIn(evaluation.StatusDescription)}.`,
    [rerunUp("; it registers the job again if the program changes the job")],
  );
}

function isOfRegister(evaluation: Members, job: Members): boolean {
  return (
    evaluation.TriggeredBy === "job-register" &&
    stringIn(evaluation.JobModifyIndex) === stringIn(job.JobModifyIndex)
  );
}
