import type { Matcher } from "./matching";
import type { Quoting } from "./quoting";

/** Another request, made against the same service within the stub, without a socket. */
export interface Edit {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a string as it stands. */
  readonly body?: unknown;
}

/** For which requests a fault is. */
interface Schedule {
  readonly match: Matcher;
  /** How many matching requests pass first. Default: 0. */
  readonly skip: number;
  /** How many matching requests it is for, from then on; `always` for every one. Default: 1. */
  readonly times: number | "always";
}

/** The connection is reset before the service sees the request. */
interface LostRequest extends Schedule {
  readonly kind: "lostRequest";
}

/** The service acts, and the connection is reset before anything of its answer is sent. */
interface LostResponse extends Schedule {
  readonly kind: "lostResponse";
}

/** This answer in place of the service's. */
interface Status extends Schedule {
  readonly kind: "status";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Whether the service acted all the same. Default: false. */
  readonly acts: boolean;
}

/**
 * A refusal that quotes every text of the request's body, spelled in each of these ways within the next, from one
 * character on and no longer than another; the service sees nothing.
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

/** The service acts; half of its answer's bytes arrive, then the connection is closed. */
interface TornBody extends Schedule {
  readonly kind: "tornBody";
}

/** The service acts; its answer's body arrives byte by byte, over this time by the stub's clock. */
interface SlowDrip extends Schedule {
  readonly kind: "slowDrip";
  readonly milliseconds: number;
}

/** The answer is 200 with an HTML page, as from a proxy that wants a login; the service sees nothing. */
interface Html extends Schedule {
  readonly kind: "html";
  readonly body: string;
}

/** The process that made the request is killed (SIGKILL), and gets no answer. */
interface Kill extends Schedule {
  readonly kind: "kill";
  readonly pid: number;
  /** Whether the service acts before. Default: false. */
  readonly acts: boolean;
}

/** The request or its answer waits this long by the stub's clock; advancing that lets it go. */
interface Delay extends Schedule {
  readonly kind: "delay";
  readonly milliseconds: number;
  /**
   * `answer`, the default: the service acts at once. `service`: it acts late, and even where the caller gave up
   * waiting, like a request that was stuck on the way.
   */
  readonly before: "answer" | "service";
}

/** The service answers from before its latest write. */
interface Stale extends Schedule {
  readonly kind: "stale";
}

/** Somebody else edits just before the service handles the request. */
interface EditFault extends Schedule {
  readonly kind: "edit";
  readonly requests: readonly Edit[];
}

/** One thing that goes wrong, and for which requests. */
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

/** A value without what has a default. */
type Written<Value> = {
  readonly [Name in keyof Value as Exclude<Name, Defaulted>]: Value[Name];
} & {
  readonly [Name in keyof Value as Extract<Name, Defaulted>]?: Value[Name] | undefined;
};

type Special = "html" | "edit" | "quote";
type QuoteDefaulted = "status" | "spellings" | "from";

/** A fault as a test writes it, without what has a default. */
export type FaultInput =
  | { [Kind in Exclude<FaultKind, Special>]: Written<FaultOf<Kind>> }[Exclude<FaultKind, Special>]
  | (Omit<Written<Html>, "body"> & { readonly body?: string | undefined })
  | (Omit<Written<Quote>, QuoteDefaulted> & { readonly [Name in QuoteDefaulted]?: Quote[Name] | undefined })
  | (Omit<Written<EditFault>, "requests"> & { readonly requests: readonly Written<Edit>[] });
