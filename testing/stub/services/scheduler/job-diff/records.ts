/** How a part of a job differs from its previous version. */
export type DiffType = "None" | "Added" | "Deleted" | "Edited";

export interface FieldDiff {
  readonly Type: DiffType;
  readonly Name: string;
  readonly Old: string;
  readonly New: string;
  readonly Annotations: readonly string[] | null;
}

export interface ObjectDiff {
  readonly Type: DiffType;
  readonly Name: string;
  readonly Fields: readonly FieldDiff[] | null;
  readonly Objects: readonly ObjectDiff[] | null;
}

export interface TaskDiff extends ObjectDiff {
  readonly Annotations: readonly string[] | null;
}

export interface GroupDiff extends ObjectDiff {
  readonly Tasks: readonly TaskDiff[] | null;
  /** The number of allocations per update that the plan makes; null in a list of versions. */
  readonly Updates: Readonly<Record<string, number>> | null;
}

/** The section "List job versions". */
export interface JobDiff {
  readonly Type: DiffType;
  readonly ID: string;
  readonly Fields: readonly FieldDiff[] | null;
  readonly Objects: readonly ObjectDiff[] | null;
  readonly TaskGroups: readonly GroupDiff[] | null;
}
