import { isProviderType } from "../../state/urn";
import type { PropertyMap } from "../../state/values";
import { ProviderFailure } from "../provider/failure";
import type { Told } from "../provider/provider";
import type { Entry } from "../record/entry";
import type { Reasons, Step } from "./step";
import type { Surroundings } from "./surroundings";

export function updateStep(
  surroundings: Surroundings,
  old: Entry,
  entry: Entry,
  options: { readonly why: Reasons; readonly ignoreChanges: readonly string[]; readonly done: () => void },
): Step {
  const { ledger, preview, providers } = surroundings;
  const { urn, type, custom } = entry.state;
  return {
    op: "update",
    urn,
    type,
    old,
    new: entry,
    logical: true,
    why: options.why,
    pending: { entry, type: "updating" },
    async apply() {
      const { id, created, modified } = old.state;
      entry.state = {
        ...entry.state,
        ...(id !== undefined && { id }),
        ...(created !== undefined && { created }),
        ...(modified !== undefined && { modified }),
      };
      if (!custom) return;
      try {
        const { outputs, refreshBeforeUpdate } = await update();
        finish(outputs, { refreshBeforeUpdate });
      } catch (error) {
        if (error instanceof ProviderFailure && error.partial) {
          // The existing resource was not created with the new inputs, so the old inputs stay recorded.
          const { outputs, reasons, refreshBeforeUpdate } = error.partial;
          const { inputs } = old.state;
          finish(outputs, { refreshBeforeUpdate, initErrors: reasons, ...(inputs && { inputs }) });
        }
        throw error;
      }
    },
    commit() {
      ledger.drop(old);
      ledger.add(entry);
      return true;
    },
    done: options.done,
  };

  async function update() {
    const { id = "", inputs: oldInputs = {}, outputs: oldOutputs = {} } = old.state;
    const { inputs = {}, provider = "", customTimeouts } = entry.state;
    if (isProviderType(type))
      return { outputs: await providers.update(urn, id, inputs), refreshBeforeUpdate: false };
    const server = await providers.get(provider);
    const known = { inputs: oldInputs, outputs: oldOutputs };
    const timeout = customTimeouts?.update ?? 0;
    return server.update(urn, id, known, inputs, { ignoreChanges: options.ignoreChanges, timeout, preview });
  }

  function finish(
    outputs: PropertyMap,
    more: Told & { readonly initErrors?: readonly string[]; readonly inputs?: PropertyMap },
  ): void {
    entry.state = { ...entry.state, outputs, ...more, modified: new Date().toISOString() };
  }
}
