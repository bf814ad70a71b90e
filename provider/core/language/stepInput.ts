import type { Redactor } from "../../../packages/redact";
import type { Behalf, Label } from "../http/request";
import type { Reading } from "../value/aside";
import type { Json } from "../value/json";
import type { BoundedCache } from "../value/memo";
import type { Sealing } from "../value/sealing";
import type { Address, Observation, Values } from "./object";
import type { Connection, Site } from "./service";

/**
 * Text of a program that only its service can read (a job's own language). It is read once: what the service said is
 * kept beside the inputs and in the records, so that the same text is not asked about again.
 */
export interface ServiceText {
  /** The property that holds the text: another form of a document. */
  readonly property: string;
  /** What else the reading depends on. */
  readonly with: readonly string[];
  /** What a text says that needs no service to read it: a document written out; undefined for every other text. */
  plain(text: string): Json | undefined;
  /**
   * Asks the service what the text says.
   * @throws ServiceError where it refuses the text, or cannot be reached.
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
  /** By place: the name that the program gives it. */
  readonly #registered = new Map<string, string>();
  /** By place: the entries that a diff compared, and whether each is registered by the program and stays as it is. */
  readonly #entries = new Map<string, Map<string, boolean>>();

  /** This command created, updated or adopted the object, or may have. */
  write(place: string): void {
    this.#written.add(place);
  }

  /** The program registers a resource with this name at this place. Returns the name with which it was registered first. */
  register(place: string, name: string): string {
    const first = this.#registered.get(place) ?? name;
    this.#registered.set(place, first);
    return first;
  }

  isRegistered(place: string | undefined): boolean {
    return place !== undefined && this.#registered.has(place);
  }

  /** A diff compared this entry. `stays`: the program registers it, and nothing about it changes. */
  compare(place: string, entry: string, stays: boolean): void {
    const entries = this.#entries.get(place) ?? new Map<string, boolean>();
    this.#entries.set(place, entries.set(entry, stays));
  }

  /** Removes an entry. Returns why its object is to be kept; undefined if the object is to be deleted, too. */
  remove(place: string, entry: string): Kept | undefined {
    if (this.#written.has(place)) return "written by this command";
    const entries = this.#entries.get(place);
    // The engine does not delete an entry that stays: the deleted entry is an older one with the same content.
    if (entries?.get(entry) === true) return "managed by another entry";
    entries?.delete(entry);
    return (entries?.size ?? 0) > 0 ? "managed by another entry" : undefined;
  }
}

/** A resource as a person knows it: by its type, and by its id, or its name where it has no id yet. */
export interface Subject {
  readonly type: string;
  readonly name?: string;
}

/** A message for a person, which the bridge puts into words. */
export interface Notice {
  readonly kind: "info" | "warning" | "progress";
  /** What it is about; nothing where it is the connection. */
  readonly about?: Subject;
  readonly text: string;
}

/** What a check and a diff are given. They ask nobody, so that no live connection is needed. */
export interface PreviewInput {
  readonly connection: Site;
  /** What services read in texts, by the texts' fingerprints, as long as this process remembers it. */
  readonly readings?: BoundedCache<Reading>;
  /** What masks the messages of this step; it learns what the step learns. The step makes its own where none is given. */
  readonly redactor?: Redactor;
  /** What stands for the secrets that the program does not write; nothing where it writes all of them. */
  readonly sealing?: Sealing;
}

/** What the reads of one refresh share, as long as nothing is written to their service. */
export interface Shared {
  /** What is kept under a key; made anew where it is too old, or was dropped. */
  kept<Kept extends object>(key: string, make: () => Kept): Kept;
}

/** What a step is given, whichever bridge calls it. */
export interface StepInput extends PreviewInput {
  readonly connection: Connection;
  /** Whether a create takes over what it finds in its place where that is just what the program writes. */
  readonly adoptsIdentical?: boolean;
  /** What it shares with other reads: only a refresh of a resource that is on record shares. */
  readonly shared?: Shared;
  /** Which forecasts are not to be had in this process, so that nobody asks, or is told, again. */
  readonly unforetold?: Set<string>;
  /** Which objects this command manages, so that the delete of an old state entry does not delete them. */
  readonly places?: PlaceMemory;
  /** Milliseconds that the whole step may take. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** On whose behalf its requests are sent. */
  readonly behalf?: Behalf;
  /** A warning or a note for the person who runs the program. */
  readonly log: (level: "info" | "warning", message: string) => void;
  /** What a long wait is waiting for. */
  readonly progress?: (message: string) => void;
}

/** The name of a step, as it stands in labels and messages. */
export type StepName = "check" | "diff" | "forecast" | "create" | "read" | "update" | "delete";

/** Seconds that a step may take where nobody says it; a preview does not wait long for what it can do without. */
export const USUAL_SECONDS: Readonly<Record<StepName, number>> = {
  create: 600,
  update: 600,
  delete: 600,
  read: 120,
  check: 60,
  diff: 60,
  forecast: 20,
};

/** What it takes to send a request of a step or of a function. */
export interface RequestContext extends StepInput {
  /** What its requests are called in the log. */
  readonly label: Label;
  readonly redactor: Redactor;
  /** Milliseconds since the epoch after which nothing goes on. */
  readonly deadline: number;
  /** Milliseconds from when a request is let through, in place of the deadline: of a look after an unclear write. */
  readonly grace?: number;
  /** What must still hold before a write is sent again that was looked at before it. */
  readonly beforeAgain?: () => Promise<void>;
  /** Milliseconds that each part of it may take, where it goes on for as long as its caller likes. */
  readonly callTimeoutMs?: number;
}

/** The same with its whole time again: for what follows a wait of unknown length. */
export function renewed<C extends RequestContext>(context: C): C {
  const { connection, callTimeoutMs } = context;
  return callTimeoutMs === undefined
    ? context
    : { ...context, deadline: connection.runtime.now() + callTimeoutMs };
}

/** What a function beside a definition is handed: what it takes to ask its service, and to tell what came of it. */
export interface HookContext extends RequestContext {
  readonly step: StepName;
  /** The resource as messages name it: `scheduler:Job "default/web"`. */
  name(address: Address): string;
}

/** The same beside the definition of an object, which can be looked at. */
export interface ObjectHookContext extends HookContext {
  /**
   * The object as the service holds it now; undefined where the service proves that it is gone.
   * @throws ServiceError for every answer that is neither the object nor a proof.
   */
  observe(this: ObjectHookContext, address: Address): Promise<Observation | undefined>;
}
