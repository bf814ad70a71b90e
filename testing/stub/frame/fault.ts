import type { Matcher } from "./matching";
import type { Quoting } from "./quoting";

/** A concurrent request, made against the same service inside the mock server, without a socket. */
export interface Edit {
  readonly method: string;
  /** Including its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string unchanged. */
  readonly body?: unknown;
}

/** The requests that a fault affects. */
interface Schedule {
  readonly match: Matcher;
  /** The number of matching requests that pass first. Default: 0. */
  readonly skip: number;
  /** The number of matching requests that it affects after those; `always` for every one. Default: 1. */
  readonly times: number | "always";
}

/** Resets the connection before the service receives the request. */
interface LostRequest extends Schedule {
  readonly kind: "lostRequest";
}

/** The service handles the request, then the connection is reset before any part of the response is sent. */
interface LostResponse extends Schedule {
  readonly kind: "lostResponse";
}

/** Replaces the service's response. */
interface Status extends Schedule {
  readonly kind: "status";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** True if the service handles the request nevertheless. Default: false. */
  readonly acts: boolean;
}

/**
 * An error that quotes every string of the request's body. The spellings apply one after the other, each to the result of
 * the previous one. `from` and `length` select a part of the result. The service does not receive the request.
 */
interface Quote extends Schedule {
  readonly kind: "quote";
  /** Default: 400. */
  readonly status: number;
  /** Default: plain. */
  readonly spellings: readonly Quoting[];
  /** Default: 0. */
  readonly from: number;
  readonly length?: number | undefined;
}

/** The service handles the request; half of the response's bytes arrive, then the connection is closed. */
interface TornBody extends Schedule {
  readonly kind: "tornBody";
}

/** The service handles the request; the response's body arrives byte by byte, over this time by the mock server's clock. */
interface SlowDrip extends Schedule {
  readonly kind: "slowDrip";
  readonly milliseconds: number;
}

/** The response is a 200 with an HTML page, like a proxy's login page; the service does not receive the request. */
interface Html extends Schedule {
  readonly kind: "html";
  readonly body: string;
}

/** Kills the process that made the request (SIGKILL) and sends no response. */
interface Kill extends Schedule {
  readonly kind: "kill";
  readonly pid: number;
  /** True if the service handles the request first. Default: false. */
  readonly acts: boolean;
}

/** Delays the request or its response by this time of the mock server's clock; advancing the clock ends the delay. */
interface Delay extends Schedule {
  readonly kind: "delay";
  readonly milliseconds: number;
  /**
   * `answer`, the default: the service handles the request immediately. `service`: the service handles it late, even if the
   * caller stopped waiting, like a request delayed in the network.
   */
  readonly before: "answer" | "service";
}

/** The service responds with the state before its latest write. */
interface Stale extends Schedule {
  readonly kind: "stale";
}

/** Someone else edits just before the service handles the request, or just before another fault responds in its place. */
interface EditFault extends Schedule {
  readonly kind: "edit";
  readonly requests: readonly Edit[];
}

/** A fault, and the requests that it affects. */
export type Fault =
  | LostRequest
  | LostResponse
  | Status
  | Quote
  | TornBody
  | SlowDrip
  | Html
  | Kill
  | Delay
  | Stale
  | EditFault;
export type FaultKind = Fault["kind"];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

type Defaulted = "skip" | "times" | "headers" | "acts" | "before";

/** A type whose members with defaults are optional. */
type Written<Value> = {
  readonly [Name in keyof Value as Exclude<Name, Defaulted>]: Value[Name];
} & {
  readonly [Name in keyof Value as Extract<Name, Defaulted>]?: Value[Name] | undefined;
};

type Special = "html" | "edit" | "quote";
type QuoteDefaulted = "status" | "spellings" | "from";

/** A fault as a test writes it; members with defaults are optional. */
export type FaultInput =
  | { [Kind in Exclude<FaultKind, Special>]: Written<FaultOf<Kind>> }[Exclude<FaultKind, Special>]
  | (Omit<Written<Html>, "body"> & { readonly body?: string | undefined })
  | (Omit<Written<Quote>, QuoteDefaulted> & { readonly [Name in QuoteDefaulted]?: Quote[Name] | undefined })
  | (Omit<Written<EditFault>, "requests"> & { readonly requests: readonly Written<Edit>[] });
