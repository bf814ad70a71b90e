import { isProviderType } from "../../state/urn";
import type { PropertyMap } from "../../state/values";
import { ProviderFailure } from "../provider/failure";
import type { Told } from "../provider/provider";
import type { Entry } from "../record/entry";
import type { Reasons, Step } from "./step";
import type { Surroundings } from "./surroundings";

/** The resource that a new one replaces. */
interface Replaced {
  readonly old: Entry;
  readonly why: Reasons;
  /** True if the old resource still exists and is deleted at the end. */
  readonly deleteLater: boolean;
}

/** The result of a creation. */
interface Made extends Told {
  readonly id: string;
  readonly outputs: PropertyMap;
}

export function createStep(
  surroundings: Surroundings,
  entry: Entry,
  done: () => void,
  replaced?: Replaced,
): Step {
  const { ledger, preview, providers } = surroundings;
  const { urn, type, custom } = entry.state;
  return {
    op: replaced ? "create-replacement" : "create",
    urn,
    type,
    ...(replaced && { old: replaced.old, why: replaced.why }),
    new: entry,
    logical: !replaced,
    pending: { entry, type: "creating" },
    async apply() {
      try {
        const made = custom ? await create() : undefined;
        finish(made, []);
      } catch (error) {
        if (error instanceof ProviderFailure && error.partial) {
          finish(error.partial, error.partial.reasons);
        }
        throw error;
      }
    },
    commit() {
      ledger.add(entry);
      if (replaced?.old.state.pendingReplacement) ledger.drop(replaced.old);
      return true;
    },
    done,
  };

  async function create() {
    const { inputs = {}, provider = "", customTimeouts } = entry.state;
    if (isProviderType(type))
      return { ...(await providers.create(urn, inputs, preview)), refreshBeforeUpdate: false };
    const server = await providers.get(provider);
    return server.create(urn, inputs, customTimeouts?.create ?? 0, preview);
  }

  function finish(made: Made | undefined, initErrors: readonly string[]): void {
    const now = new Date().toISOString();
    entry.state = {
      ...entry.state,
      ...(made && { id: made.id, outputs: made.outputs, refreshBeforeUpdate: made.refreshBeforeUpdate }),
      ...(initErrors.length > 0 && { initErrors }),
      created: now,
      modified: now,
    };
    if (replaced?.deleteLater) replaced.old.state = { ...replaced.old.state, delete: true };
  }
}

/** A logical step without an operation: it marks the creation and the deletion as one replacement. */
export function replaceStep(old: Entry, entry: Entry, why: Reasons): Step {
  return {
    op: "replace",
    urn: entry.state.urn,
    type: entry.state.type,
    old,
    new: entry,
    logical: true,
    why,
    apply: () => Promise.resolve(),
    commit: () => false,
  };
}
