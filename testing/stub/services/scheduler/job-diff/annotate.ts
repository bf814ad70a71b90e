import { ownOf } from "../../../json";
import type { FieldDiff, GroupDiff, JobDiff, ObjectDiff, TaskDiff } from "./records";

/** The number of a group's allocations per planned update, by the members of `DesiredTGUpdates`. */
export type DesiredUpdates = Readonly<Record<string, number>>;

const UPDATES: readonly (readonly [member: string, update: string])[] = [
  ["Ignore", "ignore"],
  ["Place", "create"],
  ["Migrate", "migrate"],
  ["Stop", "destroy"],
  ["Canary", "canary"],
  ["InPlaceUpdate", "in-place update"],
  ["DestructiveUpdate", "create/destroy update"],
];

/**
 * Adds the effect of each difference to a plan. A task's annotation depends on how the task differs, not on its allocations:
 * a changed restart policy "forces create/destroy update", although Nomad updates the task in place.
 */
export function annotate(diff: JobDiff, desired: Readonly<Record<string, DesiredUpdates>>): JobDiff {
  const groups = diff.TaskGroups?.map((group) => annotatedGroup(group, ownOf(desired, group.Name)));
  return { ...diff, TaskGroups: groups ?? null };
}

function annotatedGroup(group: GroupDiff, desired: DesiredUpdates | undefined): GroupDiff {
  const updates = UPDATES.flatMap(([member, update]) => {
    const count = desired?.[member] ?? 0;
    return count > 0 ? [[update, count] as const] : [];
  });
  return {
    ...group,
    Updates: desired === undefined ? null : Object.fromEntries(updates),
    Fields: group.Fields?.map((field) => ({ ...field, Annotations: countAnnotation(field) })) ?? null,
    Tasks: group.Tasks?.map((task) => ({ ...task, Annotations: taskAnnotation(task, group) })) ?? null,
  };
}

function countAnnotation({ Name, Old, New }: FieldDiff): readonly string[] | null {
  if (Name !== "Count" || Number(Old) === Number(New)) return null;
  return [Number(New) > Number(Old) ? "forces create" : "forces destroy"];
}

function taskAnnotation(task: TaskDiff, group: GroupDiff): readonly string[] | null {
  if (task.Type === "None") return null;
  if (group.Type !== "Edited" && task.Type === "Added") return ["forces create"];
  if (group.Type !== "Edited" && task.Type === "Deleted") return ["forces destroy"];
  const isDestructive =
    (task.Fields ?? []).some(({ Name }) => Name !== "KillTimeout") || (task.Objects ?? []).some(replaces);
  return [isDestructive ? "forces create/destroy update" : "forces in-place update"];
}

const IN_PLACE = new Set(["Service", "Constraint", "Affinity", "Spread", "LogConfig"]);

/** A change of `LogConfig` replaces the task only if it turns logs on or off. */
function replaces({ Name, Fields: fields }: ObjectDiff): boolean {
  return (
    !IN_PLACE.has(Name) || (Name === "LogConfig" && (fields ?? []).some((field) => field.Name === "Disabled"))
  );
}
