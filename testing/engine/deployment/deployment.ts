import type { Base } from "./base";
import type { DeployOptions } from "./deploy";
import type { Diagnostics } from "./diagnostics";
import type { Entry, Ledger } from "./ledger";
import type { Providers } from "./providers";
import type { Targets } from "./targets";

/** Everything that the parts of one deployment share. */
export interface Deployment {
  readonly options: DeployOptions;
  readonly preview: boolean;
  readonly diagnostics: Diagnostics;
  readonly ledger: Ledger;
  readonly providers: Providers;
  /** What was there before; a refresh puts another in its place. */
  base: Base;
  /** What the operation is limited to, grown by dependents where they were asked for. */
  readonly targets: Targets;
  readonly marks: Marks;
}

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
  /** True once something was reported that makes the whole deployment fail. */
  failed = false;

  /** True where a step for the URN is decided on; deletions do not count, one URN may have several. */
  isDealtWith(urn: string): boolean {
    const current = this.renamed.get(urn) ?? urn;
    return [this.sames, this.updates, this.replaces, this.reads].some((set) => set.has(current));
  }

  /** True where any step was decided on for the URN. */
  hasStep(urn: string): boolean {
    const all = [this.creates, this.sames, this.updates, this.deletes, this.replaces, this.reads];
    return all.some((set) => set.has(urn));
  }
}
