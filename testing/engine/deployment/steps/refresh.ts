import { isProviderType } from "../../state/urn";
import { equal, type PropertyMap } from "../../state/values";
import { type Diff, invertDiff, NO_DIFF } from "../provider/diff";
import { ProviderFailure } from "../provider/failure";
import { Entry } from "../record/entry";
import { reasonsOf, type Step } from "./step";
import type { Surroundings } from "./surroundings";

/** A refresh of one resource; `found` returns the refreshed entry, or undefined if the resource no longer exists. */
export type RefreshStep = Step & { readonly old: Entry; found(): Entry | undefined };

/**
 * Refreshes a resource. Drift is the change that an update of an unchanged program would revert: the provider diffs the
 * refreshed outputs as old values against the recorded inputs as new values.
 */
export function refreshStep(surroundings: Surroundings, old: Entry): RefreshStep {
  const { diagnostics, preview, providers } = surroundings;
  const { urn, type, custom, external, pendingReplacement, provider = "", id = "" } = old.state;
  let current: Entry | undefined = old;
  let diff: Diff = NO_DIFF;
  return {
    op: "refresh",
    urn,
    type,
    old,
    get new() {
      return current;
    },
    get why() {
      return reasonsOf(diff);
    },
    logical: false,
    async apply() {
      if (!custom || isProviderType(type) || pendingReplacement) return;
      const { inputs = {}, outputs = {}, customTimeouts } = old.state;
      const server = await providers.get(provider);
      let reasons: readonly string[] = [];
      const read = await server
        .read(urn, id, { inputs, outputs }, customTimeouts?.read ?? 0)
        .catch((error: unknown) => {
          if (!(error instanceof ProviderFailure && error.partial)) throw error;
          reasons = error.partial.reasons;
          diagnostics.warning(`Refreshed resource is in an unhealthy state:\n* ${reasons.join("\n* ")}`, urn);
          return error.partial;
        });
      if (read.id === "" || !read.outputs) {
        current = undefined;
        return;
      }
      const fresh = { inputs: read.inputs ?? inputs, outputs: read.outputs };
      current = new Entry(refreshedState(read.id, fresh, reasons, read.refreshBeforeUpdate));
      if (external) return;
      const { ignoreChanges = [] } = old.state;
      diff = invertDiff(await server.diff(urn, read.id, fresh, inputs, { ignoreChanges, preview }));
    },
    commit: () => false,
    outcome() {
      if (!current) return "delete";
      if (current === old) return "same";
      if (external) return equal(old.state.outputs ?? {}, current.state.outputs ?? {}) ? "same" : "update";
      return diff.changes === "none" ? "same" : "update";
    },
    found: () => current,
  };

  function refreshedState(
    freshId: string,
    fresh: { readonly inputs: PropertyMap; readonly outputs: PropertyMap },
    initErrors: readonly string[],
    refreshBeforeUpdate: boolean,
  ) {
    const { initErrors: _, ...rest } = old.state;
    const moved = !equal(fresh.inputs, rest.inputs ?? {}) || !equal(fresh.outputs, rest.outputs ?? {});
    return {
      ...rest,
      id: freshId,
      ...fresh,
      refreshBeforeUpdate,
      ...(initErrors.length > 0 && { initErrors }),
      ...(moved && { modified: new Date().toISOString() }),
    };
  }
}
