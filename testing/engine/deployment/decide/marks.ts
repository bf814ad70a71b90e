import type { Entry } from "../record/entry";

/** What has been decided so far, by URN. */
export class Marks {
  /** All URNs that the program has asked for. */
  readonly urns = new Set<string>();
  readonly creates = new Set<string>();
  readonly sames = new Set<string>();
  readonly updates = new Set<string>();
  readonly replaces = new Set<string>();
  readonly deletes = new Set<string>();
  readonly reads = new Set<string>();
  /** What the program takes over, being there already. */
  readonly imports = new Set<string>();
  /** What would have been created, had it been among the targets. */
  readonly skipped = new Set<string>();
  /** Physical resources of which a deletion is under way. */
  readonly condemned = new Set<Entry>();
  /** From the URN that a resource had to the one it has. */
  readonly renamed = new Map<string, string>();
  /** The other way round. */
  readonly formerly = new Map<string, string>();
  /** Why a resource was deleted before its turn to be replaced: the inputs that make it so. */
  readonly replacedFor = new Map<string, readonly string[]>();

  /** True where a step for the URN is decided on; deletions do not count, one URN may have several. */
  isDealtWith(urn: string): boolean {
    const current = this.renamed.get(urn) ?? urn;
    return [this.sames, this.updates, this.replaces, this.reads, this.imports].some((set) =>
      set.has(current),
    );
  }

  /** True where any step was decided on for the URN. */
  hasStep(urn: string): boolean {
    const { creates, sames, updates, deletes, replaces, reads, imports } = this;
    return [creates, sames, updates, deletes, replaces, reads, imports].some((set) => set.has(urn));
  }
}
