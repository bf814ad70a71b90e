import type { Redactor } from "../../../packages/redact";
import type { Behalf, Label } from "../http/request";
import type { Reading } from "../value/aside";
import type { BoundedCache } from "../value/boundedCache";
import type { Sealing } from "../value/sealing";
import type { Connection, Site } from "./connection";
import type { PlaceMemory } from "./placeMemory";

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
