import type { ResourceState } from "../../state/resource";
import { UNKNOWN_ON_THE_WIRE } from "../../state/signatures";
import { equal, type PropertyMap } from "../../state/values";
import { ProviderFailure } from "../provider/failure";
import type { Entry } from "../record/entry";
import type { Step } from "./step";
import type { Surroundings } from "./surroundings";

/** Reads a resource that is managed elsewhere. `replacing` is true if it replaces a resource of this stack. */
export function readStep(
  surroundings: Surroundings,
  entry: Entry,
  options: { readonly old?: Entry | undefined; readonly replacing: boolean; readonly done: () => void },
): Step {
  const { ledger, providers } = surroundings;
  const { urn, type, id = "", provider = "", inputs = {} } = entry.state;
  const { old, replacing } = options;
  return {
    op: replacing ? "read-replacement" : "read",
    urn,
    type,
    ...(old && { old }),
    new: entry,
    logical: !replacing,
    counted: () =>
      !replacing && old !== undefined && !equal(old.state.outputs ?? {}, entry.state.outputs ?? {}),
    pending: { entry, type: "reading" },
    async apply() {
      if (id === UNKNOWN_ON_THE_WIRE) {
        entry.state = { ...entry.state, outputs: {} };
        return;
      }
      try {
        const server = await providers.get(provider);
        const found = await server.read(urn, id, { inputs, outputs: inputs }, 0);
        finish(found.id, found.outputs, {});
      } catch (error) {
        if (error instanceof ProviderFailure && error.partial) {
          finish(error.partial.id, error.partial.outputs, { initErrors: error.partial.reasons });
        }
        throw error;
      }
    },
    commit() {
      if (old) ledger.drop(old);
      ledger.add(entry);
      return true;
    },
    done: options.done,
  };

  function finish(foundId: string, outputs: PropertyMap | undefined, more: Partial<ResourceState>): void {
    if (!outputs) throw new Error(`resource '${id}' does not exist`);
    const before = old?.state;
    const moved = before && !(equal(inputs, before.inputs ?? {}) && equal(outputs, before.outputs ?? {}));
    const modified = moved ? new Date().toISOString() : before?.modified;
    entry.state = {
      ...entry.state,
      ...more,
      id: foundId || id,
      outputs,
      ...(before?.created !== undefined && { created: before.created }),
      ...(modified !== undefined && { modified }),
    };
    if (replacing && old) old.state = { ...old.state, delete: true };
  }
}
