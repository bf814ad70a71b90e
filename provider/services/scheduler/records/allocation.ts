import { z } from "zod";
import { field } from "../../../core";
import {
  beside,
  count,
  createIndex,
  duration,
  flag,
  listOf,
  mapOf,
  modifyIndex,
  orNone,
  text,
  time,
} from "./members";

const rescheduleEvent = z.object({
  prevAllocId: text("The allocation that was replaced.", "PrevAllocID"),
  prevNodeId: text("The node on which it had been.", "PrevNodeID"),
  rescheduleTime: time("When it was replaced."),
  delay: duration("How long was waited before."),
});

const taskEvent = z.object({
  type: text("What happened, such as `Received`, `Task Setup`, `Driver`, `Started` or `Terminated`."),
  time: time("When it happened."),
  failsTask: flag("Whether it is a failure of the task."),
  restartReason: text("Why the task is started again, or is not."),
  setupError: text("What went wrong while the task was set up."),
  driverError: text("What went wrong in the driver."),
  exitCode: count("The exit code of a task that ended."),
  signal: count("The signal by which it ended; 0 for none."),
  message: text("What happened, in a sentence for people."),
  killTimeout: duration("How long the task had to end by itself."),
  killError: text("What went wrong while it was killed."),
  killReason: text("Why it was killed."),
  startDelay: duration("How long is waited before it is started again."),
  downloadError: text("What went wrong while an artifact was downloaded."),
  validationError: text("What of the task is not valid."),
  diskLimit: count("The disk that it may use."),
  failedSibling: text("The task of its group that failed."),
  secretsError: text("What went wrong while a token of the secrets service was got."),
  taskSignalReason: text("Why it was sent a signal."),
  taskSignal: text("The signal that it was sent."),
  driverMessage: text("What the driver says."),
});

const taskState = z.object({
  state: text("How far the task is: `pending`, `running` or `dead`."),
  failed: flag("Whether the task has failed."),
  startedAt: orNone(text("When it was started (RFC 3339); none, or the year 1, is never.")),
  finishedAt: orNone(text("When it ended (RFC 3339); none, or the year 1, is never.")),
  events: listOf(taskEvent, "What happened to it, the oldest first."),
});

/** An allocation (specification: Allocation). */
export const allocation = z.object({
  id: text("The id by which the service knows the allocation.", "ID"),
  evalId: text("The evaluation that placed it.", "EvalID"),
  name: text("Its name: the job's, the group's and its number."),
  nodeId: text("The node on which it is.", "NodeID"),
  previousAllocation: orNone(
    text(
      "The allocation that it replaces; empty where there is none. The product does not say it in a list.",
    ),
  ),
  nextAllocation: text("The allocation that replaces it; empty where there is none."),
  rescheduleTracker: field(
    z.object({ events: listOf(rescheduleEvent, "Each time, the oldest first.") }).optional(),
    { doc: "How often it was placed elsewhere; none where it never was." },
  ),
  jobId: text("The id of the job that it belongs to.", "JobID"),
  taskGroup: text("The task group of which it is."),
  desiredStatus: text("What the scheduler wants of it: `run`, `stop` or `evict`."),
  desiredDescription: text("Why the scheduler wants that."),
  clientStatus: text("How it is: `pending`, `running`, `complete`, `failed`, `lost` or `unknown`."),
  clientDescription: text("What the node says of it."),
  taskStates: mapOf(taskState, "How each of its tasks is, by the task's name; empty before it starts."),
  createIndex,
  modifyIndex,
  createTime: time("When it was made."),
  modifyTime: time("When it changed last."),
  namespace: beside(z.string(), "The namespace that holds the job."),
  nodeName: beside(z.string(), "The name of the node on which it is."),
  jobVersion: beside(z.int(), "The version of the job that it runs."),
  deploymentStatus: field(
    z
      .object({
        healthy: beside(z.boolean(), "Whether it is healthy; none where that is not known yet."),
        timestamp: beside(z.string(), "When that was found (RFC 3339)."),
        canary: beside(z.boolean(), "Whether it is a canary."),
        modifyIndex: beside(z.string(), "The index at which that changed. As text."),
      })
      .optional(),
    { doc: "How it is in its deployment; none outside of one." },
  ),
});
