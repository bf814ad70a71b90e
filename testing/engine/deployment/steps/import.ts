import { packageOf } from "../../state/urn";
import { ProviderFailure } from "../provider/failure";
import type { Found } from "../provider/provider";
import { Entry } from "../record/entry";
import { replaceStep } from "./create";
import type { Step } from "./step";
import type { Surroundings } from "./surroundings";

/** The resource that the import replaces, and the follow-up. */
interface ImportOptions {
  readonly old?: Entry | undefined;
  /** True if the old resource has been deleted because of a different replacement. */
  readonly recreating: boolean;
  /** Called when the imported resource is recorded. */
  readonly imported: () => void;
}

/** Imports an existing resource; a managed resource with the same URN is deleted at the end. */
export function importSteps(
  surroundings: Surroundings,
  entry: Entry,
  { old, recreating, imported }: ImportOptions,
): Step[] {
  const replaced = recreating ? undefined : old;
  const step = importStep(surroundings, entry, replaced, imported);
  return replaced ? [step, replaceStep(replaced, entry, {})] : [step];
}

function importStep(
  { ledger, providers }: Surroundings,
  entry: Entry,
  replaced: Entry | undefined,
  done: () => void,
): Step {
  const { urn, type, provider = "", importID: id = "", customTimeouts } = entry.state;
  let read: Entry | undefined;
  // Before the read, the imported resource has no inputs.
  entry.state = { ...entry.state, inputs: {} };
  return {
    op: replaced ? "import-replacement" : "import",
    urn,
    type,
    /** The existing resource, after the read. */
    get old() {
      return read;
    },
    new: entry,
    logical: !replaced,
    pending: { entry, type: "importing" },
    async apply() {
      const server = await providers.get(provider);
      try {
        finish(await server.read(urn, id, {}, customTimeouts?.read ?? 0), []);
      } catch (error) {
        if (!(error instanceof ProviderFailure && error.partial)) throw error;
        finish(error.partial, error.partial.reasons);
      }
    },
    commit() {
      ledger.add(entry);
      return true;
    },
    done,
  };

  function finish({ id: foundId, outputs, inputs, ...told }: Found, initErrors: readonly string[]): void {
    if (!outputs) throw new Error(`resource '${id}' does not exist`);
    if (!inputs) {
      throw new Error(
        `provider does not support importing resources; please try updating the '${packageOf(type)}' plugin`,
      );
    }
    const now = new Date().toISOString();
    entry.state = {
      ...entry.state,
      id: foundId || id,
      inputs,
      outputs,
      refreshBeforeUpdate: told.refreshBeforeUpdate,
      ...(initErrors.length > 0 && { initErrors }),
      created: now,
      modified: now,
    };
    read = new Entry(entry.state);
    if (replaced) replaced.state = { ...replaced.state, delete: true };
  }
}
