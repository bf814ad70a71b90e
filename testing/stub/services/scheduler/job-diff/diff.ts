import { isObject } from "../../../json";
import { fieldDiffs } from "./fields";
import { objectDiffs, orNull, partsOf, typeOf } from "./objects";
import type { FieldDiff, GroupDiff, JobDiff, ObjectDiff, TaskDiff } from "./records";

type Document = Readonly<Record<string, unknown>>;

/** The structured difference of two jobs in wire form; without a `before` everything is added. */
export function diffJobs(before: unknown, after: unknown): JobDiff {
  const [old, next] = [documentOf(before), documentOf(after)];
  const parts = difference(old, next, JOBS_OWN);
  const TaskGroups = orNull(byName(old?.TaskGroups, next?.TaskGroups).flatMap(([a, b]) => groupDiff(a, b)));
  const isSame = parts.Fields === null && parts.Objects === null && TaskGroups === null;
  return {
    Type: typeOf(old !== undefined, next !== undefined, !isSame),
    ID: String(next?.ID ?? old?.ID ?? ""),
    ...parts,
    TaskGroups,
  };
}

/** Members that the diff ignores: the server's own fields, and the update strategy, which the groups contain. */
const JOBS_OWN = new Set([
  "ID",
  "Status",
  "StatusDescription",
  "Version",
  "Stable",
  "CreateIndex",
  "ModifyIndex",
  "JobModifyIndex",
  "Update",
  "SubmitTime",
  "SchedTokenID",
  "NomadTokenID",
  "SecretsToken",
  "VaultToken",
  "MeshToken",
  "ConsulToken",
  "VersionTag",
  "TaskGroups",
]);

function groupDiff(before: Document | undefined, after: Document | undefined): readonly GroupDiff[] {
  const parts = difference(before, after, new Set(["Name", "Tasks"]));
  const Tasks = orNull(byName(before?.Tasks, after?.Tasks).flatMap(([a, b]) => taskDiff(a, b)));
  const isSame = parts.Fields === null && parts.Objects === null && Tasks === null;
  if (isSame && before !== undefined && after !== undefined) return [];
  return [
    {
      Type: typeOf(before !== undefined, after !== undefined, !isSame),
      Name: String(after?.Name ?? before?.Name),
      ...parts,
      Tasks,
      Updates: null,
    },
  ];
}

function taskDiff(before: Document | undefined, after: Document | undefined): readonly TaskDiff[] {
  const parts = difference(before, after, new Set(["Name"]));
  const isSame = parts.Fields === null && parts.Objects === null;
  if (isSame && before !== undefined && after !== undefined) return [];
  return [
    {
      Type: typeOf(before !== undefined, after !== undefined, !isSame),
      Name: String(after?.Name ?? before?.Name),
      ...parts,
      Annotations: null,
    },
  ];
}

function difference(
  before: Document | undefined,
  after: Document | undefined,
  without: ReadonlySet<string>,
): { readonly Fields: readonly FieldDiff[] | null; readonly Objects: readonly ObjectDiff[] | null } {
  const [old, next] = [partsOf(before, without), partsOf(after, without)];
  return {
    Fields: orNull(fieldDiffs(old.plain, next.plain, false)),
    Objects: orNull(objectDiffs(old.objects, next.objects)),
  };
}

type Pair = readonly [before: Document | undefined, after: Document | undefined];

/** Pairs groups and tasks by name. */
function byName(before: unknown, after: unknown): readonly Pair[] {
  const [old, next] = [documentsByName(before), documentsByName(after)];
  const names = [...new Set([...old.keys(), ...next.keys()])].sort();
  return names.map((name) => [old.get(name), next.get(name)]);
}

function documentsByName(items: unknown): ReadonlyMap<string, Document> {
  const documents = Array.isArray(items) ? items.filter(isObject) : [];
  return new Map(documents.map((document) => [String(document.Name), document]));
}

function documentOf(value: unknown): Document | undefined {
  return isObject(value) ? value : undefined;
}
