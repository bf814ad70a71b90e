import type { Job, TaskGroup } from "../shape/job";
import { messagesOfBroken, nestErrors, repeatedNames } from "./errors";
import { affinityErrors, constraintErrors, restartErrors, spreadErrors, updateErrors } from "./policies";
import { taskErrors } from "./task";

export function groupErrors(group: TaskGroup, job: Job): readonly string[] {
  const isSystem = job.Type === "system";
  const tasks = group.Tasks ?? [];
  const allowsUpdate = job.Type === "service" || isSystem;
  return [
    ...messagesOfBroken([
      [group.Name === "", "Missing task group name"],
      [group.Count < 0, "Task group count can't be negative"],
      [tasks.length === 0, "Missing tasks for task group"],
    ]),
    ...constraintErrors(group.Constraints),
    ...(isSystem
      ? messagesOfBroken([[group.Affinities !== null, "System jobs may not have an affinity block"]])
      : affinityErrors(group.Affinities)),
    ...(group.RestartPolicy === null ? [] : restartErrors(group.RestartPolicy)),
    ...(isSystem
      ? messagesOfBroken([[group.Spreads !== null, "System jobs may not have a spread block"]])
      : spreadErrors(group.Spreads)),
    ...messagesOfBroken([
      [
        (isSystem || job.Type === "sysbatch") && group.ReschedulePolicy !== null,
        "System or sysbatch jobs should not have a reschedule policy",
      ],
      [group.EphemeralDisk.SizeMB < 10, `minimum DiskMB value is 10; got ${group.EphemeralDisk.SizeMB}`],
      [group.Update !== null && !allowsUpdate, `Job type "${job.Type}" does not allow update block`],
      [
        group.Migrate !== null && job.Type !== "service",
        `Job type "${job.Type}" does not allow migrate block`,
      ],
    ]),
    ...(group.Update === null ? [] : updateErrors(group.Update)),
    ...tasks.flatMap((task, index) =>
      messagesOfBroken([[task.Name === "", `Task ${index + 1} missing name`]]),
    ),
    ...repeatedNames(tasks.map((task) => task.Name)).map(
      ({ name, at, first }) => `Task ${at} redefines '${name}' from task ${first}`,
    ),
    ...messagesOfBroken([
      [tasks.filter((task) => task.Leader).length > 1, "Only one task may be marked as leader"],
      [
        tasks.length > 0 && tasks.every((task) => task.Lifecycle !== null),
        `Task group ${group.Name} must have at least one main task`,
      ],
    ]),
    ...scalingErrors(group),
    ...tasks.flatMap((task) =>
      nestErrors(`Task ${task.Name} validation failed`, taskErrors(task, group, job.Type)),
    ),
  ];
}

function scalingErrors({ Scaling: scaling, Count: count }: TaskGroup): readonly string[] {
  if (scaling === null) return [];
  return nestErrors(
    "Task group scaling policy validation failed",
    messagesOfBroken([
      [
        scaling.Min > scaling.Max,
        "Scaling policy invalid: maximum count must not be less than minimum count",
      ],
      [
        scaling.Min > count,
        "Scaling policy invalid: task group count must not be less than minimum count in scaling policy",
      ],
      [
        scaling.Max < count,
        "Scaling policy invalid: task group count must not be greater than maximum count in scaling policy",
      ],
    ]),
  );
}
