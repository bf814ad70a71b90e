import type { StepEventMetadata, StepEventStateMetadata } from "@pulumi/pulumi/automation/events";
import type { Op } from "../../events";
import type { ResourceState } from "../../state/resource";
import { SECRET_SIGNATURE, SIGNATURE, UNKNOWN_ON_THE_WIRE } from "../../state/signatures";
import { isList, isMap, type PropertyMap, type PropertyValue, Secret, UNKNOWN } from "../../state/values";
import type { Step } from "../steps/step";

/** A step in the format of events, with every secret masked. */
export function metadataOf(step: Step, op: Op = step.op): StepEventMetadata {
  const { why } = step;
  const provider = (step.new ?? step.old)?.state.provider ?? "";
  return {
    op,
    urn: step.urn,
    type: step.type,
    // The CLI writes null for a missing state; the Automation API's types declare undefined.
    old: (step.old ? stateOf(step.old.state) : null) as StepEventStateMetadata,
    new: (step.new ? stateOf(step.new.state) : null) as StepEventStateMetadata,
    ...(why?.keys?.length && { keys: [...why.keys] }),
    ...(why?.diffs?.length && { diffs: [...why.diffs] }),
    detailedDiff: (why?.detailed ?? null) as NonNullable<StepEventMetadata["detailedDiff"]>,
    ...(step.logical && { logical: true }),
    provider,
  };
}

function stateOf(state: ResourceState): StepEventStateMetadata {
  return {
    type: state.type,
    urn: state.urn,
    ...(state.custom && { custom: true }),
    ...(state.delete && { delete: true }),
    id: state.id ?? "",
    parent: state.parent ?? "",
    ...(state.protect && { protect: true }),
    ...(state.retainOnDelete && { retainOnDelete: true }),
    inputs: maskMap(state.inputs ?? {}),
    outputs: maskMap(state.outputs ?? {}),
    provider: state.provider ?? "",
    ...(state.initErrors?.length && { initErrors: [...state.initErrors] }),
  };
}

function maskMap(values: PropertyMap): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, mask(value)]));
}

function mask(value: PropertyValue): unknown {
  if (value === UNKNOWN) return UNKNOWN_ON_THE_WIRE;
  if (value instanceof Secret) return { [SIGNATURE]: SECRET_SIGNATURE, ciphertext: "[secret]" };
  if (isList(value)) return value.map(mask);
  return isMap(value) ? maskMap(value) : value;
}
