import { readCheckAndSet } from "./check-and-set";
import { isEnterprise } from "./edition";
import { invalid } from "./errors";
import {
  namespaceOf,
  type Operation,
  type Outcome,
  partitionOf,
  type ReadEndpoint,
  type WriteEndpoint,
  type Written,
} from "./operation";
import type { Stored } from "./world";

/** A key as reads show it. */
export interface KeyValue extends Stored {
  readonly LockIndex: number;
  readonly Key: string;
  readonly Flags: number;
  /** Base64; null if it is empty. */
  readonly Value: string | null;
  readonly Session?: string;
  /** Only in the enterprise edition. */
  readonly Namespace?: string;
  readonly Partition?: string;
}

/** The keys of one namespace. */
export class KeyStore {
  readonly #table: string;
  readonly #place: { readonly Namespace?: string; readonly Partition?: string };

  constructor(
    private readonly operation: Operation,
    place: { readonly Namespace?: string; readonly Partition?: string } = {},
  ) {
    const { Namespace: inBody, Partition: partition } = isEnterprise(operation.switches) ? place : {};
    const Namespace = namespaceOf(operation, inBody);
    const Partition = partitionOf(operation, partition);
    this.#table = `keys/${Partition}/${Namespace}`;
    this.#place = isEnterprise(operation.switches) ? { Namespace, Partition } : {};
  }

  find(key: string): KeyValue | undefined {
    return this.#all.get(key);
  }

  /** Ordered by key. */
  under(prefix: string): readonly KeyValue[] {
    return [...this.#all.values()]
      .filter(({ Key }) => Key.startsWith(prefix))
      .sort((a, b) => (a.Key < b.Key ? -1 : 1));
  }

  /** Stores a value, and keeps the lock of the key. Equal content changes nothing. */
  set(key: string, value: string | null, flags: number): KeyValue {
    const before = this.find(key);
    if (before !== undefined && before.Value === value && before.Flags === flags) return before;
    const lock = before?.Session === undefined ? {} : { Session: before.Session };
    const members = {
      LockIndex: before?.LockIndex ?? 0,
      Key: key,
      Flags: flags,
      Value: value,
      ...lock,
      ...this.#place,
    };
    return this.operation.datacenter.put(this.#table, key, members);
  }

  /** Locks a key for a session. */
  lock(key: string, value: string | null, flags: number, Session: string): KeyValue {
    const LockIndex = (this.find(key)?.LockIndex ?? 0) + 1;
    const members = { LockIndex, Key: key, Flags: flags, Value: value, Session, ...this.#place };
    return this.operation.datacenter.put(this.#table, key, members);
  }

  delete(key: string): void {
    this.operation.datacenter.drop(this.#table, key);
  }

  get #all(): ReadonlyMap<string, KeyValue> {
    return this.operation.datacenter.table<KeyValue>(this.#table);
  }
}

/** True if a write under this index may change the key: 0 means that the key must not exist. */
export function isCurrent(before: Stored | undefined, index: bigint): boolean {
  return index === BigInt(before?.ModifyIndex ?? 0);
}

/** `GET /v1/kv/`: all keys, complete (`recurse`) or only their names (`keys`). */
export const readKeys: ReadEndpoint = {
  method: "GET",
  path: "/v1/kv/",
  read: (operation) => listUnder(operation, ""),
};

/** `GET /v1/kv/:key`. */
export const readKey: ReadEndpoint = {
  method: "GET",
  path: "/v1/kv/:key*",
  read(operation) {
    const key = operation.request.params.key ?? "";
    if (isList(operation)) return listUnder(operation, key);
    operation.caller.requireKey("read", key);
    const found = new KeyStore(operation).find(key);
    return found === undefined ? NONE : { body: [found], stamp: String(found.ModifyIndex) };
  },
};

const NONE: Outcome = { status: 404, body: undefined, stamp: "absent" };

const isList = ({ request: { query } }: Operation) => query.has("recurse") || query.has("keys");

function listUnder(operation: Operation, prefix: string): Outcome {
  if (!isList(operation)) throw invalid("Missing key name");
  const all = new KeyStore(operation).under(prefix);
  const shown = all.filter(({ Key }) => operation.caller.readsKey(Key));
  const stamp = shown.map(({ Key, ModifyIndex }) => `${Key}@${ModifyIndex}`).join();
  const isNames = operation.request.query.has("keys");
  if (shown.length === 0 && !(isNames && prefix === "")) return { ...NONE, stamp };
  const body = isNames ? shown.map(({ Key }) => Key) : shown;
  return { body, stamp, isFiltered: shown.length < all.length };
}

/** `PUT /v1/kv/:key`: the body is the value. */
export const writeKey: WriteEndpoint = {
  method: "PUT",
  path: "/v1/kv/:key*",
  isLocal: true,
  write(operation) {
    const { request, caller } = operation;
    const { key = "" } = request.params;
    const index = readCheckAndSet(request.query);
    const session = request.query.get("acquire") ?? "";
    caller.requireKey("write", key);
    const keys = new KeyStore(operation);
    if (index !== undefined && !isCurrent(keys.find(key), index)) return verdict(false);
    const value = request.body.length === 0 ? null : request.body.toString("base64");
    const flags = Number(request.query.get("flags") ?? 0);
    if (session === "") keys.set(key, value, flags);
    else keys.lock(key, value, flags, session);
    return verdict(true);
  },
};

/** `DELETE /v1/kv/:key`. The delete of an absent key returns true. */
export const deleteKey: WriteEndpoint = {
  method: "DELETE",
  path: "/v1/kv/:key*",
  isLocal: true,
  write(operation) {
    const { request, caller } = operation;
    const { key = "" } = request.params;
    const index = readCheckAndSet(request.query);
    caller.requireKey("write", key);
    const keys = new KeyStore(operation);
    const before = keys.find(key);
    if (before !== undefined && index !== undefined && !isCurrent(before, index)) return verdict(false);
    keys.delete(key);
    return verdict(true);
  },
};

function verdict(isDone: boolean): Written {
  const headers = { "content-type": "application/json" };
  return { response: { status: 200, headers, body: String(isDone) } };
}
