import { evenEmpty, flag, freeMap, integer, sharedObject, text, textMap } from "../../../core";
import { duration } from "./duration";

/** The update strategy: how Nomad moves allocations to the next version of a job (specification: Job (full), Update). */
export const update = sharedObject("JobUpdate", {
  stagger: evenEmpty(duration("How long to wait between two batches of a system job.")),
  maxParallel: evenEmpty(
    integer("How many allocations are replaced at once; 0 replaces all without a deployment."),
  ),
  healthCheck: evenEmpty(text("What counts as healthy: `checks`, `task_states` or `manual`.")),
  minHealthyTime: evenEmpty(
    duration("How long an allocation must be healthy before the next one is replaced."),
  ),
  healthyDeadline: evenEmpty(duration("How long an allocation may take to become healthy.")),
  progressDeadline: evenEmpty(
    duration(
      "How long a deployment may go without another healthy allocation before it fails; 0 fails at the first unhealthy one.",
    ),
  ),
  autoRevert: evenEmpty(flag("Whether a failed deployment takes the job back to its last stable version.")),
  autoPromote: evenEmpty(flag("Whether healthy canaries are promoted without an operator.")),
  canary: evenEmpty(
    integer("How many allocations of the new version run beside the old ones, until they are promoted."),
  ),
});

/** The restart policy of tasks on their node (specification: Job (full), RestartPolicy). */
export const restart = sharedObject("JobRestartPolicy", {
  attempts: evenEmpty(integer("How often a task is restarted within the interval.")),
  interval: evenEmpty(duration("The interval in which attempts are counted.")),
  delay: evenEmpty(duration("How long to wait before a restart.")),
  mode: evenEmpty(text("What follows the last attempt: `fail`, or `delay` until the next interval.")),
  renderTemplates: evenEmpty(flag("Whether templates are rendered again at a restart.")),
});

/** The reschedule policy: how Nomad places failed allocations on other nodes (specification: Job (full), ReschedulePolicy). */
export const reschedule = sharedObject("JobReschedulePolicy", {
  attempts: evenEmpty(integer("How often within the interval.")),
  interval: evenEmpty(duration("The interval in which attempts are counted.")),
  delay: evenEmpty(duration("How long to wait before the first.")),
  delayFunction: evenEmpty(text("How the delay grows: `constant`, `exponential` or `fibonacci`.")),
  maxDelay: evenEmpty(duration("The longest delay.")),
  unlimited: evenEmpty(flag("Whether there is no limit to attempts.")),
});

/** The migration of allocations from a drained node. */
export const migrate = sharedObject("JobMigrate", {
  maxParallel: evenEmpty(integer("How many move at once.")),
  healthCheck: evenEmpty(text("What counts as healthy: `checks` or `task_states`.")),
  minHealthyTime: evenEmpty(duration("How long an allocation must be healthy before the next one moves.")),
  healthyDeadline: evenEmpty(duration("How long an allocation may take to become healthy.")),
});

/** The handling of allocations on a disconnected node. */
export const disconnect = sharedObject("JobDisconnect", {
  lostAfter: evenEmpty(duration("How long the node may be away before its allocations count as lost.")),
  stopOnClientAfter: evenEmpty(duration("How long the node itself waits before it stops them.")),
  replace: evenEmpty(flag("Whether they are replaced while the node is away.")),
  reconcile: evenEmpty(
    text(
      "Which one stays when the node is back: `best_score`, `keep_original`, `keep_replacement` or `longest_running`.",
    ),
  ),
});

/**
 * The scaling of a group's count by an autoscaler (specification: Job (full), Scaling). The group's `count` is then not
 * managed: Quarterdeck registers the count just read, unless the program changes it.
 */
export const scaling = sharedObject("JobScaling", {
  type: text("The kind of scaling: `horizontal`."),
  min: evenEmpty(integer("The lowest count that the autoscaler sets.")),
  max: evenEmpty(integer("The highest count that the autoscaler sets.")),
  enabled: evenEmpty(flag("Whether the autoscaler acts on it.")),
  target: textMap("What is scaled, by the autoscaler's own keys; the service fills it in."),
  // Open: Nomad passes the policy on to any autoscaler.
  policy: freeMap("The policy, as the autoscaler understands it."),
});
