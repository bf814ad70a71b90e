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
  prevAllocId: text("ID of the replaced allocation.", "PrevAllocID"),
  prevNodeId: text("ID of the node that ran the replaced allocation.", "PrevNodeID"),
  rescheduleTime: time("Time of the rescheduling."),
  delay: duration("Delay before the rescheduling."),
});

const taskEvent = z.object({
  type: text("Event type, such as `Received`, `Task Setup`, `Driver`, `Started` or `Terminated`."),
  time: time("Time of the event."),
  failsTask: flag("True if the event fails the task."),
  restartReason: text("Reason for restarting or not restarting the task."),
  setupError: text("Error during the task setup."),
  driverError: text("Error of the task driver."),
  exitCode: count("Exit code of the terminated task."),
  signal: count("Signal that terminated the task; 0 if no signal did."),
  message: text("Readable description of the event."),
  killTimeout: duration("Time that the task had to stop after the kill signal."),
  killError: text("Error while killing the task."),
  killReason: text("Reason for killing the task."),
  startDelay: duration("Delay before the task restarts."),
  downloadError: text("Error while downloading an artifact."),
  validationError: text("Validation error of the task."),
  diskLimit: count("Disk limit of the task."),
  failedSibling: text("Name of the failed task in the same task group."),
  secretsError: text("Error while getting a Vault token."),
  taskSignalReason: text("Reason for sending a signal to the task."),
  taskSignal: text("Signal that was sent to the task."),
  driverMessage: text("Message from the task driver."),
});

const taskState = z.object({
  state: text("Task state: `pending`, `running` or `dead`."),
  failed: flag("True if the task failed."),
  startedAt: orNone(text("Start time (RFC 3339). Unset, or in year 1, if the task never started.")),
  finishedAt: orNone(text("End time (RFC 3339). Unset, or in year 1, if the task never ended.")),
  events: listOf(taskEvent, "Events of the task, oldest first."),
});

/** An allocation (specification: Allocation). */
export const allocation = z.object({
  id: text("Allocation ID in Nomad.", "ID"),
  evalId: text("ID of the evaluation that placed the allocation.", "EvalID"),
  name: text("Allocation name: the names of job and task group, and the index."),
  nodeId: text("ID of the node that runs the allocation.", "NodeID"),
  previousAllocation: orNone(
    text("ID of the allocation that this allocation replaces, or empty. Nomad does not return it in lists."),
  ),
  nextAllocation: text("ID of the replacement allocation, or empty."),
  rescheduleTracker: field(
    z.object({ events: listOf(rescheduleEvent, "Rescheduling events, oldest first.") }).optional(),
    { doc: "History of reschedulings. Unset if the allocation was never rescheduled." },
  ),
  jobId: text("ID of the job that the allocation belongs to.", "JobID"),
  taskGroup: text("Name of the allocation's task group."),
  desiredStatus: text("Status that the scheduler wants: `run`, `stop` or `evict`."),
  desiredDescription: text("Reason for the desired status."),
  clientStatus: text(
    "Status on the client: `pending`, `running`, `complete`, `failed`, `lost` or `unknown`.",
  ),
  clientDescription: text("Description of the status on the client."),
  taskStates: mapOf(taskState, "State of each task, by task name. Empty before the allocation starts."),
  createIndex,
  modifyIndex,
  createTime: time("Time of creation."),
  modifyTime: time("Time of the last modification."),
  namespace: beside(z.string(), "Namespace that contains the job."),
  nodeName: beside(z.string(), "Name of the node that runs the allocation."),
  jobVersion: beside(z.int(), "Job version that the allocation runs."),
  deploymentStatus: field(
    z
      .object({
        healthy: beside(z.boolean(), "True if the allocation is healthy. Unset while the health is unknown."),
        timestamp: beside(z.string(), "Time of the health result (RFC 3339)."),
        canary: beside(z.boolean(), "True if the allocation is a canary."),
        modifyIndex: beside(z.string(), "Index of the last change of the deployment status, as a string."),
      })
      .optional(),
    { doc: "Health in the deployment. Unset outside a deployment." },
  ),
});
