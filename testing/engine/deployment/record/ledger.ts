import { withCurrentReferences } from "../../state/references";
import type { PendingOperation, Snapshot } from "../../state/resource";
import { Base } from "./base";
import { Entry } from "./entry";

/**
 * What is true of the stack while a deployment is under way: what stands already, what was there before and is
 * not dealt with yet, and what is being done. A snapshot of it can be taken at any moment.
 */
export class Ledger {
  private before: Base;
  private readonly news: Entry[] = [];
  private readonly done = new Set<Entry>();
  private readonly operations = new Map<Entry, PendingOperation["type"]>();
  private readonly interruptedCreates: readonly PendingOperation[];
  private touched = false;
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(
    snapshot: Snapshot,
    private readonly write: (snapshot: Snapshot) => Promise<void>,
  ) {
    this.before = new Base(snapshot.resources.map((state) => new Entry(state)));
    // Nobody knows whether these exist: only a person can say so. The other kinds are settled by what follows.
    this.interruptedCreates = snapshot.pendingOperations.filter(({ type }) => type === "creating");
  }

  /** What the deployment began with. */
  get base(): Base {
    return this.before;
  }

  begin(entry: Entry, type: PendingOperation["type"]): Promise<void> {
    this.touched = true;
    this.operations.set(entry, type);
    return this.save();
  }

  end(entry: Entry): void {
    this.operations.delete(entry);
  }

  /** The entry stands in the state from now on. */
  add(entry: Entry): void {
    this.touched = true;
    this.news.push(entry);
  }

  /** The entry is dealt with, and no longer part of the state. */
  drop(entry: Entry): void {
    this.touched = true;
    this.done.add(entry);
  }

  /** After a refresh, what was there before is what was read. */
  rebase(entries: readonly Entry[]): void {
    this.touched = true;
    this.before = new Base(entries);
  }

  snapshot(): Snapshot {
    const resources = [...this.news, ...this.before.entries]
      .filter((entry) => !this.done.has(entry))
      .map((entry) => entry.state);
    const pendingOperations = [
      ...[...this.operations].map(([entry, type]) => ({ resource: entry.state, type })),
      ...this.interruptedCreates,
    ];
    return { resources: withCurrentReferences(resources), pendingOperations };
  }

  /** Saves what was held back because nobody waits for it. */
  async close(): Promise<void> {
    if (this.touched) await this.save();
  }

  /** Resolves once everything up to now is saved; those who ask while a save runs share the next one. */
  save(): Promise<void> {
    this.next ??= this.writing
      .catch(() => {})
      .then(() => {
        this.next = undefined;
        this.writing = this.write(this.snapshot());
        return this.writing;
      });
    return this.next;
  }
}
