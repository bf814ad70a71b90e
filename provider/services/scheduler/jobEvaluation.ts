import { AdvisedError, followed, type Json, upAgain, wordIn } from "../../core";
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
 * The scheduler's decision about a register; undefined where it started no evaluation.
 * @param id of the evaluation that the register started; empty where it started none, unknown where its answer was lost
 * @throws Error where the evaluation failed, or was cancelled for a register of somebody else.
 */
export async function decided(waiting: Waiting, id: Json | undefined): Promise<Members | undefined> {
  if (id === "") return undefined;
  const { context, job, name } = waiting;
  let status = "unknown";
  const evaluation = await followed(
    context,
    listOf(waiting, "evaluations"),
    (answer): Members | "none" | undefined => {
      const found = members(answer).filter((one) =>
        id === undefined ? isOfRegister(one, job) : one.ID === id,
      );
      const latest = newest(found);
      // A register that started no evaluation has none to wait for.
      if (latest === undefined) return id === undefined ? "none" : undefined;
      if (latest.Status !== status)
        context.progress?.(`evaluation ${short(latest.ID)}: ${wordIn(latest.Status)}`);
      status = wordIn(latest.Status);
      return status === "pending" ? undefined : latest;
    },
    () => overdue(`${name}: the evaluation is still ${status}`),
  );
  if (evaluation === "none") return undefined;
  await requireSound(waiting, evaluation);
  return evaluation;
}

/**
 * Waits until a node takes what an evaluation could not place: the scheduler keeps a blocked evaluation for that, and
 * works it off again when something has changed.
 * @throws Error where that fails, or where the job was stopped or replaced meanwhile.
 */
export async function placed(
  waiting: Waiting,
  evaluation: Members,
  unplaced: readonly string[],
): Promise<void> {
  const { context, name } = waiting;
  let id = evaluation.BlockedEval;
  const last = await followed(
    context,
    listOf(waiting, "evaluations"),
    (answer): Members | undefined => {
      const found = members(answer).find((one) => one.ID === id);
      if (found === undefined || found.Status === "blocked" || found.Status === "pending") return undefined;
      // What is still left over has a blocked evaluation of its own.
      if (found.Status !== "complete" || !found.BlockedEval) return found;
      id = found.BlockedEval;
      return undefined;
    },
    () => overdue(`${name}: not everything is placed`, unplaced),
  );
  await requireSound(waiting, last);
}

async function requireSound(waiting: Waiting, evaluation: Members): Promise<void> {
  // One is cancelled for a newer one, which may be of a register of somebody else.
  if (evaluation.Status === "canceled") await stillOurs(waiting);
  if (evaluation.Status !== "failed") return;
  throw new AdvisedError(
    `${waiting.name}: the evaluation ${short(evaluation.ID)} failed: ${wordIn(evaluation.StatusDescription)}.`,
    [upAgain(", which registers it once more where the program writes something else")],
  );
}

function isOfRegister(evaluation: Members, job: Members): boolean {
  return (
    evaluation.TriggeredBy === "job-register" &&
    wordIn(evaluation.JobModifyIndex) === wordIn(job.JobModifyIndex)
  );
}
