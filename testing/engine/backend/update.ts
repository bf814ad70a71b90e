import type { JsonMap } from "../json";
import type { PendingOperation, ResourceState, Snapshot } from "../state/resource";
import {
  type Deployment,
  manifest,
  readPendingOperation,
  readResource,
  writePendingOperation,
  writeResource,
} from "./checkpoint";
import { difference, Journal } from "./journal";
import type { SecretsProvider } from "./passphrase";
import type { StackReference } from "./reference";
import type { StackStore } from "./store";
import { Vault } from "./vault";

/** The state of a stack during an operation. The caller holds the stack's lock. */
export class StackUpdate {
  readonly snapshot: Snapshot;
  readonly #vault: Vault;
  readonly #changesProvider: boolean;
  /** The written form of each state; states are immutable, so their written form never changes. */
  readonly #written = new WeakMap<ResourceState | PendingOperation, JsonMap>();
  readonly #deployment: Deployment;
  #current: Snapshot;
  #journal: Journal | undefined;

  private constructor(
    readonly store: StackStore,
    readonly reference: StackReference,
    provider: SecretsProvider,
    vaults: { readonly reading: Vault; readonly writing: Vault },
  ) {
    const { resources = [], pending_operations: pending = [], ...rest } = store.read(reference);
    this.#vault = vaults.writing;
    this.#changesProvider = vaults.reading !== vaults.writing;
    this.#deployment = { ...rest, secrets_providers: { type: "passphrase", state: { salt: provider.salt } } };
    this.snapshot = {
      resources: resources.map((resource) => {
        const state = readResource(resource, vaults.reading);
        if (!this.#changesProvider) this.#written.set(state, resource);
        return state;
      }),
      pendingOperations: pending.map((operation) => readPendingOperation(operation, vaults.reading)),
    };
    this.#current = this.snapshot;
  }

  /**
   * Reads the stack's state, including the journal of an interrupted update. `reading` is the checkpoint's secrets provider,
   * `writing` the settings' one; they are nearly always equal.
   */
  static open(
    store: StackStore,
    reference: StackReference,
    { reading, writing }: { readonly reading: SecretsProvider; readonly writing: SecretsProvider },
  ): StackUpdate {
    const vault = new Vault(writing.crypter);
    const same = reading.salt === writing.salt;
    return new StackUpdate(store, reference, writing, {
      reading: same ? vault : new Vault(reading.crypter),
      writing: vault,
    });
  }

  /**
   * Records a step. The step is recorded synchronously, before the promise is returned, so a caller that waits for it writes
   * to a server only afterward.
   */
  async save(snapshot: Snapshot): Promise<void> {
    const { at, removed, inserted } = difference(this.#current.resources, snapshot.resources);
    this.#openJournal().append({
      at,
      removed,
      inserted: inserted.map((item) => (typeof item === "number" ? item : this.#write(item))),
      pending: this.#writePending(snapshot.pendingOperations),
    });
    this.#current = snapshot;
  }

  /** Folds the journal into the checkpoint, which is then identical to one from the CLI. */
  finish(): void {
    const journal = this.#journal;
    this.#writeCheckpoint((checkpoint) => journal?.conclude(checkpoint));
    this.#journal = undefined;
  }

  #writeCheckpoint(conclude: (checkpoint: string) => void): void {
    const { resources, pendingOperations } = this.#current;
    this.store.write(
      this.reference,
      {
        ...this.#deployment,
        manifest: manifest(new Date()),
        resources: resources.map((resource) => this.#write(resource)),
        pending_operations: this.#writePending(pendingOperations),
      },
      conclude,
    );
  }

  /**
   * Opens a journal. Its checkpoint must contain the steps of an interrupted update, and name the secrets provider of the
   * journal.
   */
  #openJournal(): Journal {
    if (this.#journal === undefined) {
      if (this.#changesProvider) this.#writeCheckpoint(() => {});
      else this.store.fold(this.reference);
      this.#journal = new Journal(
        this.store.paths(this.reference).journal,
        this.store.checkpointText(this.reference),
      );
    }
    return this.#journal;
  }

  #write(resource: ResourceState): JsonMap {
    return this.#once(resource, () => writeResource(resource, this.#vault));
  }

  #writePending(operations: readonly PendingOperation[]): JsonMap[] {
    return operations.map((operation) =>
      this.#once(operation, () => writePendingOperation(operation, this.#vault)),
    );
  }

  #once(key: ResourceState | PendingOperation, write: () => JsonMap): JsonMap {
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const written = write();
    this.#written.set(key, written);
    return written;
  }
}
