import { needsBesideParent, needsOf } from "../../state/references";
import type { Entry } from "./entry";

/** Controls which dependents are followed. */
interface Following {
  /** True if children count as dependents. */
  readonly children: boolean;
  readonly ignored?: (urn: string) => boolean;
}

/** The state before the operation as a graph. In the list, every resource follows its dependencies. */
export class Base {
  private readonly live = new Map<string, Entry>();

  constructor(readonly entries: readonly Entry[]) {
    for (const entry of entries) if (!entry.state.delete) this.live.set(entry.state.urn, entry);
  }

  /** The resource of a URN, unless it is waiting to be deleted. */
  get(urn: string): Entry | undefined {
    return this.live.get(urn);
  }

  has(urn: string): boolean {
    return this.entries.some((entry) => entry.state.urn === urn);
  }

  /** All direct and indirect dependents of an entry, in order; ignored resources are not followed. */
  dependents(root: Entry, { children, ignored = () => false }: Following): Entry[] {
    const needs = children ? needsOf : needsBesideParent;
    const found = new Set([root.state.urn]);
    const dependents: Entry[] = [];
    for (const entry of this.entries.slice(this.entries.indexOf(root) + 1)) {
      const { state } = entry;
      if (ignored(state.urn) || !needs(state).some((urn) => found.has(urn))) continue;
      dependents.push(entry);
      found.add(state.urn);
    }
    return dependents;
  }

  /** All direct and indirect dependencies of the entries. */
  dependenciesOf(by: readonly Entry[]): ReadonlySet<Entry> {
    const urns = new Set(by.flatMap(({ state }) => needsOf(state)));
    const needed = new Set<Entry>();
    for (const entry of this.entries.toReversed()) {
      if (!urns.has(entry.state.urn)) continue;
      needed.add(entry);
      for (const urn of needsOf(entry.state)) urns.add(urn);
    }
    return needed;
  }
}
