import type { Entry } from "../record/entry";

/** The decisions so far, by URN. */
export class Marks {
  /** All URNs that the program has registered. */
  readonly urns = new Set<string>();
  readonly creates = new Set<string>();
  readonly sames = new Set<string>();
  readonly updates = new Set<string>();
  readonly replaces = new Set<string>();
  readonly deletes = new Set<string>();
  readonly reads = new Set<string>();
  /** Resources that the program imports. */
  readonly imports = new Set<string>();
  /** Resources that are not created because they are not targets. */
  readonly skipped = new Set<string>();
  /** Resources with a deletion under way. */
  readonly condemned = new Set<Entry>();
  /** From a resource's old URN to its current URN. */
  readonly renamed = new Map<string, string>();
  /** From a resource's current URN to its old URN. */
  readonly formerly = new Map<string, string>();
  /** The inputs that caused an early deletion of a resource before its replacement. */
  readonly replacedFor = new Map<string, readonly string[]>();

  /** True if a step for the URN is decided. Deletions do not count, because one URN may have several. */
  isDealtWith(urn: string): boolean {
    const current = this.renamed.get(urn) ?? urn;
    return [this.sames, this.updates, this.replaces, this.reads, this.imports].some((set) =>
      set.has(current),
    );
  }

  /** True if any step is decided for the URN. */
  hasStep(urn: string): boolean {
    const { creates, sames, updates, deletes, replaces, reads, imports } = this;
    return [creates, sames, updates, deletes, replaces, reads, imports].some((set) => set.has(urn));
  }
}
