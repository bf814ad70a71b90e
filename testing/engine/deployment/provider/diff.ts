import { DiffKind, type PropertyDiff } from "@pulumi/pulumi/automation/events";
import { DiffResponse, PropertyDiff as ProtocolDiff } from "@pulumi/pulumi/proto/provider_pb";
import { resetIgnored } from "../../state/paths";
import {
  changedKeys,
  equal,
  isList,
  isMap,
  type PropertyMap,
  type PropertyValue,
  Secret,
} from "../../state/values";

/** The result of a provider's diff. */
export interface Diff {
  readonly changes: "none" | "some" | "unknown";
  readonly replaces: readonly string[];
  readonly changed: readonly string[];
  readonly detailed?: Readonly<Record<string, PropertyDiff>>;
  readonly deleteBeforeReplace: boolean;
  /** The reason if the provider cannot compute the diff. */
  readonly doubt?: string;
}

export const NO_DIFF: Diff = { changes: "none", replaces: [], changed: [], deleteBeforeReplace: false };

/** True if the resource must be replaced. */
export function replaces(diff: Diff): boolean {
  const kinds = Object.values(diff.detailed ?? {}).map((one) => one.diffKind);
  return diff.replaces.length > 0 || kinds.some((kind) => kind.endsWith("-replace"));
}

export function readDiff(response: DiffResponse): Diff {
  const detailed: Record<string, PropertyDiff> = {};
  response.getDetaileddiffMap().forEach((diff, path) => {
    detailed[path] = { diffKind: KINDS[diff.getKind()], inputDiff: diff.getInputdiff() };
  });
  return {
    changes: CHANGES[response.getChanges()] ?? "unknown",
    replaces: response.getReplacesList(),
    changed: response.getDiffsList(),
    ...(response.getHasdetaileddiff() && { detailed }),
    deleteBeforeReplace: response.getDeletebeforereplace(),
  };
}

const CHANGES: Readonly<Record<number, Diff["changes"]>> = {
  [DiffResponse.DiffChanges.DIFF_NONE]: "none",
  [DiffResponse.DiffChanges.DIFF_SOME]: "some",
};

const KINDS: Readonly<Record<ProtocolDiff.Kind, DiffKind>> = {
  [ProtocolDiff.Kind.ADD]: DiffKind.add,
  [ProtocolDiff.Kind.ADD_REPLACE]: DiffKind.addReplace,
  [ProtocolDiff.Kind.DELETE]: DiffKind.delete,
  [ProtocolDiff.Kind.DELETE_REPLACE]: DiffKind.deleteReplace,
  [ProtocolDiff.Kind.UPDATE]: DiffKind.update,
  [ProtocolDiff.Kind.UPDATE_REPLACE]: DiffKind.updateReplace,
};

const INVERSE: Readonly<Record<DiffKind, DiffKind>> = {
  [DiffKind.add]: DiffKind.delete,
  [DiffKind.addReplace]: DiffKind.deleteReplace,
  [DiffKind.delete]: DiffKind.add,
  [DiffKind.deleteReplace]: DiffKind.addReplace,
  [DiffKind.update]: DiffKind.update,
  [DiffKind.updateReplace]: DiffKind.updateReplace,
};

/** Inverts a diff: a refresh asks for the changes of an update, and shows the opposite: the drift. */
export function invertDiff(diff: Diff): Diff {
  const { detailed } = diff;
  if (!detailed) return diff;
  const back = Object.entries(detailed).map(([path, one]) => [
    path,
    { ...one, diffKind: INVERSE[one.diffKind] },
  ]);
  return { ...diff, detailed: Object.fromEntries(back) };
}

/** If the provider cannot determine whether anything changes, compares the inputs, without ignored paths. */
export function resolveUnknownDiff(
  diff: Diff,
  olds: PropertyMap,
  news: PropertyMap,
  ignore: readonly string[],
): Diff {
  if (diff.changes !== "unknown") return diff;
  const before = essenceOfMap(olds);
  const after = essenceOfMap(resetIgnored(news, olds, ignore).inputs);
  if (equal(before, after)) return { ...diff, changes: "none" };
  return { ...diff, changes: "some", changed: changedKeys(before, after) };
}

/** Normalizes a value for comparison: secrets are unwrapped, and nulls are removed from maps. */
function essence(value: PropertyValue): PropertyValue {
  if (value instanceof Secret) return essence(value.value);
  if (isList(value)) return value.map(essence);
  return isMap(value) ? essenceOfMap(value) : value;
}

const essenceOfMap = (values: PropertyMap): PropertyMap =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, essence(value)]),
  );
