import { isStack } from "../state/urn";
import { properties, type Step } from "./events";
import { printMemberDiff, printProperty, type Style, widest } from "./printer";
import {
  diffMaps,
  diffValues,
  type ElementDiff,
  isEmpty,
  isInternal,
  isUnknown,
  type MapDiff,
} from "./values";

/** Operations whose outputs are exact even in a preview, because the provider read them. */
const READING = ["read", "read-replacement", "import", "import-replacement"];

/**
 * The outputs of a step that differ from its inputs and, if a previous state exists, from the previous outputs. For the
 * stack itself an update shows all outputs.
 */
export function renderOutputs(
  step: Step,
  options: {
    readonly indent: number;
    readonly preview: boolean;
    readonly refresh: boolean;
    readonly truncated: boolean;
  },
): string {
  const { preview, refresh } = options;
  const ofStack = isStack(step.urn);
  const showUnchanged = !preview && ofStack;
  if (preview && !refresh && !READING.includes(step.op) && !ofStack) return "";
  if (step.old?.initErrors?.length) return "";
  const [inputs, outputs] = [properties(step.new, "inputs"), properties(step.new, "outputs")];
  const difference = step.old ? diffMaps(properties(step.old, "outputs"), outputs) : undefined;
  if (step.old && difference === undefined && !showUnchanged) return "";
  const diff = difference && preview && ofStack ? withoutUnknown(difference) : difference;
  const keys = diff ? [...diff.keys()] : Object.keys(outputs).sort();
  const style: Style = { indent: options.indent, op: step.op, signed: false, truncated: options.truncated };
  const lines = keys.map((key) => {
    const output = outputs[key] ?? null;
    if (!diff && (isInternal(key) || isEmpty(output))) return "";
    const input = inputs[key];
    if (input !== undefined && !refresh && diffValues(output, input) === undefined) return "";
    const change = diff?.get(key);
    if (change === undefined) return printProperty(key, output, widest(keys), style);
    return change.kind === "same" && !showUnchanged ? "" : printMemberDiff(key, change, widest(keys), style);
  });
  return lines.join("");
}

/** Removes changes that are merely unknown in a preview. */
function withoutUnknown(diff: MapDiff): MapDiff {
  return new Map(
    [...diff].flatMap(([key, change]): [string, ElementDiff][] => {
      if (change.kind !== "update") return [[key, change]];
      if (isUnknown(change.diff.new)) return [];
      const { map } = change.diff;
      return [[key, map ? { kind: "update", diff: { ...change.diff, map: withoutUnknown(map) } } : change]];
    }),
  );
}
