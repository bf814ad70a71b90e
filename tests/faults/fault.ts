import type { ServiceName } from "../../testing/stub/service";
import type { UserChange } from "./otherUser";
import type { Happening } from "./wire";

/** The actions of a fault that do not concern the connection. */
export interface FaultActions {
  readonly service: ServiceName;
  /** The user or the pipeline cancels the command. */
  cancel(): void;
  /** The provider's process is killed, and its last messages are lost. */
  kill(): void;
  /** Another user makes a change, if possible. */
  otherUser(userChange: UserChange): Promise<void>;
  /** The fault does not apply here. */
  skip(): void;
}

/** One fault of one request. */
export interface Fault {
  readonly name: string;
  /** The requests that it can happen to. */
  readonly to: "any" | "reads" | "writes";
  /** Whether the service carries the request out, and what the client receives. */
  readonly carries: "no" | "yes" | "late" | "twice";
  readonly received: Heard;
  /** The delay until a late request is carried out, after the client received something. */
  readonly delayMs?: number;
  /** How far the service's clock is ahead of all other clocks. */
  readonly clockAheadMs?: number;
  /** Whether it also happens to every later request of the command. */
  readonly lasts?: true;
  /** Whether it does not depend on the request, so that one test per scenario is enough. */
  readonly isRequestIndependent?: true;
  /** The change by another user, and its moment. */
  readonly change?: { readonly kind: UserChange; readonly when: "before" | "after" };
  /** Whether the response is a valid one about a different object. Without a name it cannot be detected. */
  readonly isOfOtherObject?: true;
  /** Whether it applies only to some responses. */
  readonly isConditional?: true;
  /** The name of its group in the table of docs/reliability.md. */
  readonly group: Group;
  happening(around: FaultActions): Happening;
}

/** The groups of faults, as a user knows them. */
export type Group =
  | "lost or delayed message"
  | "response before execution"
  | "no further responses"
  | "executed twice"
  | "rate limit"
  | "gateway error"
  | "server error"
  | "invalid response"
  | "rejected token"
  | "stale read"
  | "incomplete list"
  | "wrong server clock"
  | "canceled"
  | "killed"
  | "concurrent edit"
  | "concurrent delete"
  | "concurrent identical create"
  | "concurrent same action"
  | "concurrent undo"
  | "two faults";

/** What the client receives, as far as rules distinguish it. */
export type Heard =
  /** Nothing was sent, and the client knows that. */
  | "not sent"
  /** The connection was closed. */
  | "reset"
  /** No response before the timeout. */
  | "nothing"
  /** A rejection that asks the client to retry. */
  | "wait"
  /** A gateway's response. */
  | "gateway"
  /** An error response of the service. */
  | "error"
  /** The service rejects the token. */
  | "denied"
  /** A successful response in a wrong format. */
  | "other"
  /** The complete response. */
  | "answer"
  /** A response from before the latest write. */
  | "stale"
  /** The caller has ended. */
  | "gone";
