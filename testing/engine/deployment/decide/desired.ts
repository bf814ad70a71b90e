import type { ResourceState } from "../../state/resource";
import type { Goal } from "../program/goal";

/** The state that a goal asks for, before the provider's check. */
export function desiredState(
  urn: string,
  goal: Goal,
  old: ResourceState | undefined,
  alias: string | undefined,
): ResourceState {
  return {
    urn,
    type: goal.type,
    custom: goal.custom,
    inputs: goal.inputs,
    ...(goal.parent !== undefined && { parent: goal.parent }),
    ...(goal.provider !== undefined && { provider: goal.provider }),
    ...(goal.dependencies.length > 0 && { dependencies: goal.dependencies }),
    ...(Object.keys(goal.propertyDependencies).length > 0 && {
      propertyDependencies: goal.propertyDependencies,
    }),
    ...(goal.protect && { protect: true }),
    ...(goal.retainOnDelete && { retainOnDelete: true }),
    ...(goal.deletedWith !== undefined && { deletedWith: goal.deletedWith }),
    ...(goal.ignoreChanges.length > 0 && { ignoreChanges: goal.ignoreChanges }),
    ...(goal.replaceOnChanges.length > 0 && { replaceOnChanges: goal.replaceOnChanges }),
    ...(goal.additionalSecretOutputs.length > 0 && { additionalSecretOutputs: goal.additionalSecretOutputs }),
    ...(Object.keys(goal.customTimeouts).length > 0 && { customTimeouts: goal.customTimeouts }),
    ...(goal.importId !== undefined && { importID: goal.importId }),
    ...(alias !== undefined && { aliases: [alias] }),
    ...(old?.refreshBeforeUpdate && { refreshBeforeUpdate: true }),
    ...(old?.created !== undefined && { created: old.created }),
    ...(old?.modified !== undefined && { modified: old.modified }),
    ...goal.position,
  };
}
