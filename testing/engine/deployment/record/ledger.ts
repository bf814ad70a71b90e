import { withCurrentReferences } from "../../state/references";
import type { PendingOperation, Snapshot } from "../../state/resource";
import { Base } from "./base";
import { Entry } from "./entry";

/**
 * The state of the stack during a deployment: new resources, previous resources without a step so far, and running
 * operations. A snapshot can be taken at any time.
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
    // Only the user can know whether these resources exist. The deployment resolves the other kinds.
    this.interruptedCreates = snapshot.pendingOperations.filter(({ type }) => type === "creating");
  }

  /** The state at the beginning of the deployment. */
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

  /** Adds the entry to the state. */
  add(entry: Entry): void {
    this.touched = true;
    this.news.push(entry);
  }

  /** Removes the entry from the state. */
  drop(entry: Entry): void {
    this.touched = true;
    this.done.add(entry);
  }

  /** Replaces the previous state with the result of a refresh. */
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

  /** Saves a change that no step is waiting for. */
  async close(): Promise<void> {
    if (this.touched) await this.save();
  }

  /** Resolves when the current state is saved; requests during a running save share the next one. */
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
