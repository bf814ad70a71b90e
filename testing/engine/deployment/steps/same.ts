import type { ResourceState } from "../../state/resource";
import { isProviderType } from "../../state/urn";
import { equal } from "../../state/values";
import type { Entry } from "../record/entry";
import type { Step } from "./step";
import type { Surroundings } from "./surroundings";

/** Why a resource stays unchanged. */
interface SameOptions {
  readonly done?: (() => void) | undefined;
  /** True if a new resource is not a target: the state does not contain it. */
  readonly skipped?: boolean;
  /** True if an existing resource is not a target: it was not compared. */
  readonly untargeted?: boolean;
}

export function sameStep(
  surroundings: Surroundings,
  old: Entry,
  entry: Entry,
  options: SameOptions = {},
): Step {
  const { ledger, providers } = surroundings;
  const { urn, type } = entry.state;
  const { done, skipped = false, untargeted = false } = options;
  return {
    op: "same",
    urn,
    type,
    old,
    new: entry,
    logical: true,
    async apply() {
      const { id, outputs, inputs } = old.state;
      entry.state = { ...entry.state, ...(id !== undefined && { id }), ...(outputs && { outputs }) };
      if (isProviderType(type) && !skipped && !untargeted) providers.same(urn, id ?? "", inputs ?? {});
    },
    commit() {
      if (skipped) return false;
      ledger.drop(old);
      ledger.add(entry);
      return hasChanged(old.state, entry.state);
    },
    ...(done && { done }),
  };
}

/** True if the record changes although no operation is needed. */
function hasChanged(old: ResourceState, now: ResourceState): boolean {
  const simple = [
    "urn",
    "type",
    "custom",
    "provider",
    "parent",
    "deletedWith",
    "protect",
    "retainOnDelete",
  ] as const;
  const needs = (state: ResourceState) => [...(state.dependencies ?? [])].sort();
  return (
    simple.some((name) => (old[name] || undefined) !== (now[name] || undefined)) ||
    !equal(old.inputs ?? {}, now.inputs ?? {}) ||
    !equal(old.outputs ?? {}, now.outputs ?? {}) ||
    !equal(needs(old), needs(now)) ||
    !equal({ ...old.customTimeouts }, { ...now.customTimeouts })
  );
}
