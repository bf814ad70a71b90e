import type { ResourceState } from "../state";
import type { Entry } from "./ledger";
import { needsOf } from "./references";

/** What was there before, as a graph: the list is in an order in which each stands after what it needs. */
export class Base {
  private readonly live = new Map<string, Entry>();

  constructor(readonly entries: readonly Entry[]) {
    for (const entry of entries) if (!entry.state.delete) this.live.set(entry.state.urn, entry);
  }

  /** The resource of a URN that is not waiting to be deleted. */
  get(urn: string): Entry | undefined {
    return this.live.get(urn);
  }

  has(urn: string): boolean {
    return this.entries.some((entry) => entry.state.urn === urn);
  }

  /** All that needs the entry, directly or not, in order; what is ignored is not gone through. */
  dependents(root: Entry, ignore: ReadonlySet<string>, children: boolean): Entry[] {
    const found = new Set([root.state.urn]);
    const dependents: Entry[] = [];
    for (const entry of this.entries.slice(this.entries.indexOf(root) + 1)) {
      const { state } = entry;
      if (ignore.has(state.urn)) continue;
      if (!needs(state, children).some((urn) => found.has(urn))) continue;
      dependents.push(entry);
      found.add(state.urn);
    }
    return dependents;
  }
}

function needs(state: ResourceState, children: boolean): string[] {
  const { parent: _, ...parentless } = state;
  return needsOf(children ? state : parentless);
}

/**
 * Deletions in rounds: each round runs at once, and nothing goes before all that needs it has gone. `order` is
 * the order of the state, in which what is needed stands first.
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

/** How deep each URN stands among what is to be deleted; to need a component is to need all below it. */
class Levels {
  private readonly own = new Map<string, number>();
  private readonly below = new Map<string, number>();
  private readonly parents = new Map<string, string>();

  place(state: ResourceState): number {
    const needed = needs(state, false).map((urn) =>
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
