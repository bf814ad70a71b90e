import type { Redactor } from "../../../packages/redact";
import type { MessageFacts } from "../http/remedies";
import type { Attempts, Label, RequestOrigin } from "../http/request";
import type { Fingerprints } from "../value/fingerprint";
import type { BoundedCache } from "../value/memo";
import type { ParsedText } from "../value/programInputs";
import type { CommandWrites, OtherWrites } from "./commandWrites";
import type { Address, Observation } from "./object";
import type { PlaceMemory } from "./placeMemory";
import type { Connection, Site } from "./service";

/** A resource as people know it: its type, and its ID, or its name if it has no ID yet. */
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
  readonly facts?: MessageFacts;
}

/** The input of a check and a diff. They send no requests, so they need no live connection. */
export interface PreviewInput {
  readonly connection: Site;
  /** The results of parsing by services, by the fingerprints of the texts, as long as this process remembers them. */
  readonly readings?: BoundedCache<ParsedText>;
  /**
   * Masks the messages of this step, and learns the secrets that the step learns. The step creates its own if none is given.
   */
  readonly redactor?: Redactor;
  /** Fingerprints that replace the secrets that the program does not write; unset if the program writes all secrets. */
  readonly fingerprints?: Fingerprints;
  /** The objects that this command manages and moves. */
  readonly places?: PlaceMemory;
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
  /** The scopes in which a request of a preview has failed in this process. Quarterdeck neither repeats nor reports it again. */
  readonly unavailableScopes?: Set<string>;
  /** The writes of this command. */
  readonly writes?: CommandWrites;
  /** The other writes of this command, during a write. */
  readonly others?: OtherWrites;
  /** The step's total timeout in milliseconds. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** The origin of its requests. */
  readonly behalf?: RequestOrigin;
  /** Prints a warning or a note for the person running the program. */
  readonly log: (level: "info" | "warning", message: string, facts?: MessageFacts) => void;
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
  /**
   * Set for a write that is based on a read. The attempts of its requests that were not sent because the read was too old, by
   * method and path.
   */
  readonly unsentAttempts?: Map<string, Attempts>;
  /** The timeout of each part in milliseconds, for work whose total duration the caller decides. */
  readonly callTimeoutMs?: number;
}

/** The context with its full timeout again, for work that follows a wait of unknown length. */
export function withFullTimeout<C extends RequestContext>(context: C): C {
  const { connection, callTimeoutMs } = context;
  return callTimeoutMs === undefined
    ? context
    : { ...context, deadline: connection.runtime.now() + callTimeoutMs };
}

/** The input of a function next to a definition: everything for sending requests and reporting results. */
export interface HookContext extends RequestContext {
  readonly step: StepName;
  /** The name of the resource in messages: `Nomad job "default/web"`. */
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
