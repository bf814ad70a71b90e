import type { Redactor } from "../../../packages/redact";
import type { Behalf, Label } from "../http/request";
import type { Reading } from "../value/aside";
import type { Json } from "../value/json";
import type { BoundedCache } from "../value/memo";
import type { Sealing } from "../value/sealing";
import type { Address, Observation, Values } from "./object";
import type { Connection, Site } from "./service";

/**
 * Program text that only its service can parse (a job's own language). The service parses a text once: Quarterdeck stores
 * the result with the inputs and in the records, and does not send the same text again.
 */
export interface ServiceText {
  /** The property with the text: another form of a document. */
  readonly property: string;
  /** Further inputs that affect the result of the parse. */
  readonly with: readonly string[];
  /** The content of a text that needs no service to parse it (a document in plain form); undefined for every other text. */
  plain(text: string): Json | undefined;
  /**
   * Sends the text to the service and returns the parsed document.
   * @throws ServiceError if the service rejects the text, or if the server cannot be reached.
   */
  read(context: RequestContext, inputs: Values, address: Address): Promise<Json>;
}

/** Why a state entry's object is not deleted with the entry. */
export type Kept = "written by this command" | "managed by another entry";

/**
 * Which objects the state entries of the running command manage. A command can delete an old entry of an object that another
 * entry manages: after a rename without an alias, or a replacement that creates first. Only the last entry of an object that
 * this command did not write deletes the object.
 */
export class PlaceMemory {
  readonly #written = new Set<string>();
  /** By place: the resource's name in the program. */
  readonly #registered = new Map<string, string>();
  /** By place: the entries that a diff compared, and whether each is registered by the program and stays as it is. */
  readonly #entries = new Map<string, Map<string, boolean>>();

  /** Records that this command created, updated or adopted the object, or may have done so. */
  write(place: string): void {
    this.#written.add(place);
  }

  /** Records that the program registers a resource with this name at this place. Returns the first name registered there. */
  register(place: string, name: string): string {
    const first = this.#registered.get(place) ?? name;
    this.#registered.set(place, first);
    return first;
  }

  isRegistered(place: string | undefined): boolean {
    return place !== undefined && this.#registered.has(place);
  }

  /** Records that a diff compared this entry. `stays`: the program registers it, and nothing about it changes. */
  compare(place: string, entry: string, stays: boolean): void {
    const entries = this.#entries.get(place) ?? new Map<string, boolean>();
    this.#entries.set(place, entries.set(entry, stays));
  }

  /** Removes an entry. Returns why its object must not be deleted; undefined if the object must be deleted too. */
  remove(place: string, entry: string): Kept | undefined {
    if (this.#written.has(place)) return "written by this command";
    const entries = this.#entries.get(place);
    // The engine does not delete an entry that stays: the deleted entry is an older one with the same content.
    if (entries?.get(entry) === true) return "managed by another entry";
    entries?.delete(entry);
    return (entries?.size ?? 0) > 0 ? "managed by another entry" : undefined;
  }
}

/** A resource as people know it: its type, and its id, or its name if it has no id yet. */
export interface Subject {
  readonly type: string;
  readonly name?: string;
}

/** A message for people. The bridge formats it. */
export interface Notice {
  readonly kind: "info" | "warning" | "progress";
  /** The subject of the message; unset if it is the connection. */
  readonly about?: Subject;
  readonly text: string;
}

/** The input of a check and a diff. They send no requests, so they need no live connection. */
export interface PreviewInput {
  readonly connection: Site;
  /** The results of parsing by services, by the fingerprints of the texts, as long as this process remembers them. */
  readonly readings?: BoundedCache<Reading>;
  /**
   * Masks the messages of this step, and learns the secrets that the step learns. The step creates its own if none is given.
   */
  readonly redactor?: Redactor;
  /** Fingerprints that replace the secrets that the program does not write; unset if the program writes all secrets. */
  readonly sealing?: Sealing;
}

/** Data that the reads of one refresh share, as long as nothing is written to their service. */
export interface Shared {
  /** The value cached under a key. It is created again if it is too old, or if it was dropped. */
  kept<Kept extends object>(key: string, make: () => Kept): Kept;
}

/** The input of a step, from any bridge. */
export interface StepInput extends PreviewInput {
  readonly connection: Connection;
  /** True if a create adopts an existing object that is identical to the program's. */
  readonly adoptsIdentical?: boolean;
  /** Data shared with other reads: only a refresh of a recorded resource shares data. */
  readonly shared?: Shared;
  /** The plans that are unavailable in this process, so that Quarterdeck neither requests nor reports them again. */
  readonly unforetold?: Set<string>;
  /** The objects that this command manages, so that the delete of an old state entry does not delete them. */
  readonly places?: PlaceMemory;
  /** The step's total timeout in milliseconds. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** The origin of its requests. */
  readonly behalf?: Behalf;
  /** Prints a warning or a note for the person running the program. */
  readonly log: (level: "info" | "warning", message: string) => void;
  /** Reports the reason for a long wait. */
  readonly progress?: (message: string) => void;
}

/** The name of a step, as used in labels and messages. */
export type StepName = "check" | "diff" | "forecast" | "create" | "read" | "update" | "delete";

/** The default timeout of each step, in seconds. A preview does not wait long for results that it can do without. */
export const USUAL_SECONDS: Readonly<Record<StepName, number>> = {
  create: 600,
  update: 600,
  delete: 600,
  read: 120,
  check: 60,
  diff: 60,
  forecast: 20,
};

/** The input for sending a request of a step or of a function. */
export interface RequestContext extends StepInput {
  /** The name of its requests in the log. */
  readonly label: Label;
  readonly redactor: Redactor;
  /** The deadline, in milliseconds since the epoch. */
  readonly deadline: number;
  /**
   * The time limit of a probe after a write with an unknown outcome, in milliseconds from its admission. It replaces the
   * deadline.
   */
  readonly grace?: number;
  /** Checks the precondition of a read-then-write request before it is sent again. */
  readonly beforeAgain?: () => Promise<void>;
  /** The timeout of each part in milliseconds, for work whose total duration the caller decides. */
  readonly callTimeoutMs?: number;
}

/** The context with its full timeout again, for work that follows a wait of unknown length. */
export function renewed<C extends RequestContext>(context: C): C {
  const { connection, callTimeoutMs } = context;
  return callTimeoutMs === undefined
    ? context
    : { ...context, deadline: connection.runtime.now() + callTimeoutMs };
}

/** The input of a function next to a definition: everything for sending requests and reporting results. */
export interface HookContext extends RequestContext {
  readonly step: StepName;
  /** The name of the resource in messages: `scheduler:Job "default/web"`. */
  name(address: Address): string;
}

/** The input of a function next to an object's definition. The function can read the object. */
export interface ObjectHookContext extends HookContext {
  /**
   * Reads the current object; undefined if the service proves that it no longer exists.
   * @throws ServiceError for every response that is neither the object nor a proof.
   */
  observe(this: ObjectHookContext, address: Address): Promise<Observation | undefined>;
}
