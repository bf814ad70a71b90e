import type { ResourceState } from "../../state/resource";
import { type PropertyValue, Secret } from "../../state/values";
import type { Diagnostics } from "../operation/diagnostics";

/** Marks secret outputs: those in `additionalSecretOutputs`, and those whose input is a secret. */
export function withSecretOutputs(state: ResourceState, { warning }: Diagnostics): ResourceState {
  const { inputs = {}, outputs = {}, additionalSecretOutputs = [] } = state;
  if (additionalSecretOutputs.includes("id")) {
    warning("The 'id' property cannot be made secret. See pulumi/pulumi#2717 for more details.", state.urn);
  }
  const named = new Set(additionalSecretOutputs.filter((name) => name !== "id"));
  const open = Object.entries(outputs).filter(
    ([name, value]) => !(value instanceof Secret) && (named.has(name) || inputs[name] instanceof Secret),
  );
  if (open.length === 0) return state;
  const marked: Record<string, PropertyValue> = { ...outputs };
  for (const [name, value] of open) marked[name] = new Secret(value);
  return { ...state, outputs: marked };
}
