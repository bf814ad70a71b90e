import { needsBesideParent } from "../../state/references";
import type { ResourceState } from "../../state/resource";
import type { Entry } from "../record/entry";

/**
 * Groups deletions into rounds. All deletions of a round run concurrently, and a resource is deleted only after all its
 * dependents. `order` is the order of the state, in which dependencies precede their dependents.
 */
export function deletionRounds<Step extends { readonly old: Entry }>(
  steps: readonly Step[],
  order: readonly Entry[],
): Step[][] {
  const stepOf = new Map(steps.map((step) => [step.old, step]));
  const levels = new Levels();
  const rounds: Step[][] = [];
  for (const entry of order) {
    const step = stepOf.get(entry);
    if (!step) continue;
    const level = levels.place(entry.state);
    rounds[level] = [...(rounds[level] ?? []), step];
  }
  return rounds.reverse();
}

/** The dependency depth of each URN among the deletions. A dependency on a component includes all its children. */
class Levels {
  private readonly own = new Map<string, number>();
  private readonly below = new Map<string, number>();
  private readonly parents = new Map<string, string>();

  place(state: ResourceState): number {
    const needed = needsBesideParent(state).map((urn) =>
      Math.max(this.own.get(urn) ?? -1, this.below.get(urn) ?? -1),
    );
    const parent = state.parent === undefined ? -1 : (this.own.get(state.parent) ?? -1);
    const level = Math.max(parent, ...needed) + 1;
    this.own.set(state.urn, Math.max(level, this.own.get(state.urn) ?? -1));
    if (state.parent !== undefined) this.parents.set(state.urn, state.parent);
    for (let above = state.parent; above !== undefined; above = this.parents.get(above)) {
      this.below.set(above, Math.max(level, this.below.get(above) ?? -1));
    }
    return level;
  }
}
