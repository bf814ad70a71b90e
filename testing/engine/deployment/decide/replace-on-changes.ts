import { DiffKind, type PropertyDiff } from "@pulumi/pulumi/automation/events";
import { contains } from "../../state/paths";
import type { Diff } from "../provider/diff";

/** The key that stands for a failed initialization. */
const INIT_ERROR = "#initerror";

/** Adds the replacements of the option `replaceOnChanges`. */
export function withReplaceOnChanges(diff: Diff, paths: readonly string[], hasInitErrors: boolean): Diff {
  if (diff.changes !== "some" && !hasInitErrors) return diff;
  const isListed = (key: string) => paths.some((path) => contains(path, key));
  const replaces = new Set([...diff.replaces, ...diff.changed.filter(isListed)]);
  const detailed =
    diff.detailed &&
    Object.fromEntries(
      Object.entries(diff.detailed).map(([path, one]) => [path, isListed(path) ? replacing(one) : one]),
    );
  const broken = hasInitErrors && isListed(INIT_ERROR);
  if (broken) replaces.add(INIT_ERROR);
  return {
    ...diff,
    ...(detailed && { detailed }),
    changes: broken ? "some" : diff.changes,
    replaces: [...replaces],
  };
}

function replacing(diff: PropertyDiff): PropertyDiff {
  const kind = diff.diffKind.endsWith("-replace") ? diff.diffKind : `${diff.diffKind}-replace`;
  return { ...diff, diffKind: Object.values(DiffKind).find((one) => one === kind) ?? diff.diffKind };
}
