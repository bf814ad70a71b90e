import type { ServiceName } from "../../testing/stub/service";
import type { Deed } from "./strangers";
import type { Happening } from "./wire";

/** What a fault may do beside the wire, while a step is under way. */
export interface Around {
  readonly service: ServiceName;
  /** The person or the pipeline gives up. */
  cancel(): void;
  /** The provider's process ends; what it was told last is lost with it. */
  kill(): void;
  /** Somebody else does something, if there is anything for them to do. */
  stranger(deed: Deed): Promise<void>;
  /** The fault finds nothing to do here. */
  misses(): void;
}

/** One thing that goes wrong with one request. */
export interface Fault {
  readonly name: string;
  /** Which requests it can happen to. */
  readonly to: "any" | "reads" | "writes";
  /** What becomes of the request: whether the service carries it out, and what the client hears. */
  readonly carries: "no" | "yes" | "late" | "twice";
  readonly hears: Heard;
  /** How long after its sender was told something it is carried out, where it is carried out later. */
  readonly laterMs?: number;
  /** How far the service's clock is ahead of everybody else's, all the time. */
  readonly clockAheadMs?: number;
  /** Whether it happens to every later request of the command, too. */
  readonly lasts?: true;
  /** Whether it is there all along, whichever request it is tried at: once in a life is enough. */
  readonly isAllAlong?: true;
  /** Who else acts, and when. */
  readonly deed?: { readonly kind: Deed; readonly when: "before" | "after" };
  /** Whether the answer is another object's, and right to the byte: nothing tells it for false that names nothing. */
  readonly isAnothers?: true;
  /** Whether it is for some answers only. */
  readonly isParticular?: true;
  /** What the table calls all of its kind. */
  readonly group: Group;
  happening(around: Around): Happening;
}

/** The kinds of faults, as a user knows them. */
export type Group =
  | "lost or late"
  | "told too early"
  | "nobody answers any more"
  | "carried out twice"
  | "asked to wait"
  | "a gateway's error"
  | "the service's error"
  | "a false answer"
  | "a refused token"
  | "an old answer"
  | "a list that lacks a page"
  | "a clock that is wrong"
  | "cancelled"
  | "killed"
  | "somebody's edit"
  | "somebody's delete"
  | "somebody's equal create"
  | "somebody does the same"
  | "somebody undoes it"
  | "two at a time";

/** What the client hears of a request: the kinds of which a rule may speak. */
export type Heard =
  /** Nothing was sent, and it knows. */
  | "not sent"
  /** The connection ended. */
  | "reset"
  /** No answer in time. */
  | "nothing"
  /** A refusal that is to be repeated. */
  | "wait"
  /** A gateway's words. */
  | "gateway"
  /** The service's own error. */
  | "error"
  /** The service's own refusal of the token. */
  | "denied"
  /** A success that is not the endpoint's. */
  | "other"
  /** The answer, whole. */
  | "answer"
  /** An answer from before the latest write. */
  | "stale"
  /** Its caller is gone. */
  | "gone";
