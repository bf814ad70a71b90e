import { evenEmpty, flag, freeMap, integer, sharedObject, text, textMap } from "../../../core";
import { duration } from "./duration";

/** The update strategy: how Nomad moves allocations to the next version of a job (specification: Job (full), Update). */
export const update = sharedObject("JobUpdate", {
  stagger: evenEmpty(
    duration("Delay between two sets of `maxParallel` updates of a system job. Default: 30 seconds."),
  ),
  maxParallel: evenEmpty(
    integer(
      "Number of allocations to update at the same time; 0 updates all without a deployment. Default: 1.",
    ),
  ),
  healthCheck: evenEmpty(text("Health criterion: `checks`, `task_states` or `manual`. Default: `checks`.")),
  minHealthyTime: evenEmpty(
    duration("Time that an allocation must be healthy before the next update. Default: 10 seconds."),
  ),
  healthyDeadline: evenEmpty(
    duration("Time in which an allocation must become healthy. Default: 5 minutes."),
  ),
  progressDeadline: evenEmpty(
    duration(
      "Time without a newly healthy allocation after which the deployment fails; 0 fails it at the first unhealthy allocation. Default: 10 minutes.",
    ),
  ),
  autoRevert: evenEmpty(
    flag("Revert the job to its last stable version if a deployment fails. Default: false."),
  ),
  autoPromote: evenEmpty(flag("Promote healthy canaries automatically. Default: false.")),
  canary: evenEmpty(
    integer(
      "Number of canaries of the new version to run next to the old allocations until they are promoted. Default: 0.",
    ),
  ),
});

/** The restart policy of tasks on their node (specification: Job (full), RestartPolicy). */
export const restart = sharedObject("JobRestartPolicy", {
  attempts: evenEmpty(
    integer("Number of restarts within `interval`. Default: 2, or 3 for `batch` and `sysbatch` jobs."),
  ),
  interval: evenEmpty(
    duration(
      "Period in which `attempts` are counted. Default: 30 minutes, or 24 hours for `batch` and `sysbatch` jobs.",
    ),
  ),
  delay: evenEmpty(duration("Delay before a restart. Default: 15 seconds.")),
  mode: evenEmpty(
    text(
      "Action after the last attempt: `fail` the task, or `delay` until the next interval. Default: `fail`.",
    ),
  ),
  renderTemplates: evenEmpty(flag("Render all templates again on a restart. Default: false.")),
});

/** The reschedule policy: how Nomad places failed allocations on other nodes (specification: Job (full), ReschedulePolicy). */
export const reschedule = sharedObject("JobReschedulePolicy", {
  attempts: evenEmpty(
    integer("Number of reschedule attempts within `interval`. Default for `batch` jobs: 1."),
  ),
  interval: evenEmpty(
    duration("Period in which `attempts` are counted. Default for `batch` jobs: 24 hours."),
  ),
  delay: evenEmpty(
    duration("Delay before the first attempt. Default: 30 seconds, or 5 seconds for `batch` jobs."),
  ),
  delayFunction: evenEmpty(
    text(
      "Growth of the delay: `constant`, `exponential` or `fibonacci`. Default: `exponential`, or `constant` for `batch` jobs.",
    ),
  ),
  maxDelay: evenEmpty(duration("Maximum delay between attempts. Default for `service` jobs: 1 hour.")),
  unlimited: evenEmpty(flag("Reschedule without a limit. Default: true, or false for `batch` jobs.")),
});

/** The migration of allocations from a drained node. */
export const migrate = sharedObject("JobMigrate", {
  maxParallel: evenEmpty(integer("Number of allocations to migrate at the same time. Default: 1.")),
  healthCheck: evenEmpty(text("Health criterion: `checks` or `task_states`. Default: `checks`.")),
  minHealthyTime: evenEmpty(
    duration("Time that an allocation must be healthy before the next migration. Default: 10 seconds."),
  ),
  healthyDeadline: evenEmpty(
    duration("Time in which an allocation must become healthy. Default: 5 minutes."),
  ),
});

/** The handling of allocations on a disconnected node. */
export const disconnect = sharedObject("JobDisconnect", {
  lostAfter: evenEmpty(duration("Time that a node may be disconnected before its allocations are lost.")),
  stopOnClientAfter: evenEmpty(duration("Time until the disconnected client itself stops the allocations.")),
  replace: evenEmpty(flag("Replace the allocations while the node is disconnected.")),
  reconcile: evenEmpty(
    text(
      "Allocation to keep after the node reconnects: `best_score`, `keep_original`, `keep_replacement` or `longest_running`. Default: `best_score`.",
    ),
  ),
});

/**
 * The scaling of a group's count by an autoscaler (specification: Job (full), Scaling). The group's `count` is then not
 * managed: Quarterdeck registers the count just read, unless the program changes it.
 */
export const scaling = sharedObject("JobScaling", {
  type: text("Scaling type: `horizontal`."),
  min: evenEmpty(integer("Minimum count.")),
  max: evenEmpty(integer("Maximum count.")),
  enabled: evenEmpty(flag("Enable the autoscaler for this policy. Default: true.")),
  target: textMap("Scaling target, as key-value pairs that the autoscaler defines. Nomad sets this value."),
  // Open: Nomad passes the policy on to any autoscaler.
  policy: freeMap("Policy for the autoscaler, passed on unchanged (`policy` block)."),
});
