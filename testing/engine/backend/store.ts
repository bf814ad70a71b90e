import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { JsonMap } from "../json";
import { ExitCode, Refusal } from "../refusal";
import { type Deployment, inOrder, manifest, refuseForm, writeCheckpoint } from "./checkpoint";
import { readTextIfPresent, removeObject, writeObject } from "./files";
import { replay } from "./journal";
import { breakLocks, type Lock, takeLock } from "./lock";
import { parseReference, pathsOf, qualifiedName, type StackReference } from "./reference";

/** Options for removing a stack. */
export interface RemoveOptions {
  /** Removes the stack even if its state contains resources. */
  readonly force: boolean;
  /** Also removes its backups. */
  readonly backups: boolean;
  /** The stack's name in error messages. */
  readonly name: string;
}

/** The stacks in one folder, in the layout of the CLI's file backend. */
export class StackStore {
  constructor(readonly directory: string) {}

  paths(reference: StackReference) {
    return pathsOf(this.directory, reference);
  }

  exists(reference: StackReference): boolean {
    return existsSync(this.paths(reference).checkpoint);
  }

  /** All stacks, by project and name. */
  list(): StackReference[] {
    const root = join(this.directory, ".pulumi", "stacks");
    return foldersIn(root).flatMap((project) =>
      readdirSync(join(root, project))
        .filter((file) => file.endsWith(".json"))
        .map((file) => parseReference(file.slice(0, -".json".length), project)),
    );
  }

  create(reference: StackReference, deployment: Omit<Deployment, "manifest">): void {
    const lock = this.lock(reference);
    try {
      this.refuseExisting(reference);
      this.write(reference, { manifest: manifest(new Date()), ...deployment });
    } finally {
      lock.release();
    }
  }

  refuseExisting(reference: StackReference): void {
    if (this.exists(reference)) throw new Refusal(`stack '${qualifiedName(reference)}' already exists`);
  }

  /** The stack after its last recorded step, including the steps of an interrupted update. */
  read(reference: StackReference): Deployment {
    const text = this.#checkpoint(reference);
    const { latest } = parseCheckpoint(text);
    const { resources = [], pending_operations: pending = [] } = latest;
    const now = replay(this.paths(reference).journal, text, { resources, pending });
    return inOrder({ ...latest, resources: now.resources, pending_operations: now.pending });
  }

  /** Replaces the checkpoint, stores the previous one as `.bak`, and removes a journal that it contains. */
  write(reference: StackReference, deployment: Deployment, conclude?: (checkpoint: string) => void): void {
    const { checkpoint, previous, journal } = this.paths(reference);
    const before = readTextIfPresent(checkpoint);
    if (before !== undefined) writeObject(previous, before);
    const text = writeCheckpoint(qualifiedName(reference), deployment);
    conclude?.(text);
    writeObject(checkpoint, text);
    rmSync(journal, { force: true });
  }

  /**
   * Writes the steps of an interrupted update to the checkpoint, where the CLI also finds them. The caller must hold the
   * lock.
   */
  fold(reference: StackReference): void {
    if (existsSync(this.paths(reference).journal)) this.write(reference, this.read(reference));
  }

  /** The text of the checkpoint, for the history and the backups. */
  checkpointText(reference: StackReference): string {
    return this.#checkpoint(reference);
  }

  lock(reference: StackReference): Lock {
    return takeLock(this.paths(reference).locks, this.directory);
  }

  /** `pulumi cancel`: removes every lock, and folds in the journal of an interrupted update. */
  cancel(reference: StackReference): void {
    breakLocks(this.paths(reference).locks);
    this.#whileLocked(reference, () => this.fold(reference));
  }

  remove(reference: StackReference, options: RemoveOptions): void {
    this.#whileLocked(reference, () => {
      const { resources = [] } = this.read(reference);
      const onlyStack = resources.length === 1 && resources[0]?.type === "pulumi:pulumi:Stack";
      if (!options.force && resources.length > 0 && !onlyStack) {
        throw new Refusal(
          `'${options.name}' still has resources; removal rejected. Possible actions:\n` +
            `- Make sure that '${options.name}' is the stack that you want to destroy\n` +
            "- Run `pulumi destroy` to delete the resources, then run `pulumi stack rm`\n" +
            "- Run `pulumi stack rm --force` to override this error",
        );
      }
      const { checkpoint, previous, journal, tags, history, backups } = this.paths(reference);
      const text = readTextIfPresent(checkpoint);
      if (options.backups) {
        removeObject(previous);
        rmSync(backups, { recursive: true, force: true });
      } else if (text !== undefined) {
        writeObject(previous, text);
      }
      removeObject(checkpoint);
      removeObject(tags);
      rmSync(journal, { force: true });
      rmSync(history, { recursive: true, force: true });
    });
  }

  #whileLocked(reference: StackReference, act: () => void): void {
    const lock = this.lock(reference);
    try {
      act();
    } finally {
      lock.release();
    }
  }

  #checkpoint(reference: StackReference): string {
    const text = readTextIfPresent(this.paths(reference).checkpoint);
    if (text === undefined)
      throw new Refusal(`no stack named '${reference.name}' found`, ExitCode.stackNotFound);
    return text;
  }
}

function parseCheckpoint(text: string): { readonly latest: Deployment } {
  const {
    version,
    features,
    checkpoint,
  }: {
    version?: number;
    features?: string[];
    checkpoint?: { latest?: Deployment };
  } = JSON.parse(text);
  refuseForm("the checkpoint", version, features);
  const empty: JsonMap = {};
  return { latest: checkpoint?.latest ?? { manifest: empty } };
}

function foldersIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
