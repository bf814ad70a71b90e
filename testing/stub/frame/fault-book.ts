import type { Fault, FaultKind, FaultOf } from "./fault";
import { maskHeaders } from "./masking";
import { type Arrived, matching } from "./matching";

/** A fault and its effects so far. */
export interface FaultReport {
  readonly id: string;
  readonly fault: Fault;
  /** The number of matching requests. */
  readonly seen: number;
  /** The number of requests that it affected. */
  readonly used: number;
  /** True if it has acted as often as requested; `always` requires at least once. */
  readonly isUsed: boolean;
  /** Its failed actions: an edit that the service rejected, a process that did not exist. */
  readonly failures: readonly string[];
}

/** A fault that affects a request. */
export interface Due<Acting extends Fault = Fault> {
  readonly fault: Acting;
  /** Records a failed action. */
  recordFailure(reason: string): void;
}

/** The faults that affect one request. */
export interface Mishap {
  readonly edit?: Due<FaultOf<"edit">>;
  readonly delay?: Due<FaultOf<"delay">>;
  readonly stale?: Due<FaultOf<"stale">>;
  /** The fault that affects the response. */
  readonly answer?: Due<FaultOf<Exclude<FaultKind, "edit" | "delay" | "stale">>>;
}

/** All faults, in the order of their addition. */
export class FaultBook {
  #entries: Entry[] = [];
  #given = 0;

  /** Adds a fault and returns its ID. */
  add(fault: Fault): string {
    this.#given += 1;
    const id = `fault-${this.#given}`;
    this.#entries.push(new Entry(id, fault));
    return id;
  }

  /**
   * The faults for this request. Every matching request counts for every fault. Of the due faults, the first one that
   * decides the response acts, with the first delay, the first stale read and the first edit. The others wait for the next
   * matching request.
   */
  meet(request: Arrived): Mishap {
    if (this.#entries.length === 0) return NONE;
    const found: { -readonly [Part in keyof Mishap]: Entry } = {};
    for (const entry of this.#entries) {
      if (!entry.isDueFor(request)) continue;
      const { kind } = entry.fault;
      const part = kind === "edit" || kind === "delay" || kind === "stale" ? kind : "answer";
      if (found[part] !== undefined) continue;
      entry.used += 1;
      found[part] = entry;
    }
    // Each entry is in the part of its kind; the compiler cannot verify that through the loop.
    return found as Mishap;
  }

  reports(): FaultReport[] {
    return this.#entries.map((entry) => entry.report());
  }

  clear(): void {
    this.#entries = [];
  }
}

const NONE: Mishap = {};

class Entry {
  seen = 0;
  used = 0;
  readonly failures: string[] = [];
  readonly #matches: (request: Arrived) => boolean;

  constructor(
    readonly id: string,
    readonly fault: Fault,
  ) {
    this.#matches = matching(fault.match);
  }

  isDueFor(request: Arrived): boolean {
    if (!this.#matches(request)) return false;
    this.seen += 1;
    const { skip, times } = this.fault;
    return this.seen > skip && (times === "always" || this.used < times);
  }

  recordFailure(reason: string): void {
    this.failures.push(reason);
  }

  report(): FaultReport {
    const { id, fault, seen, used } = this;
    const isUsed = fault.times === "always" ? used > 0 : used === fault.times;
    return { id, fault: withoutTokens(fault), seen, used, isUsed, failures: [...this.failures] };
  }
}

function withoutTokens(fault: Fault): Fault {
  if (fault.kind !== "edit") return fault;
  return {
    ...fault,
    requests: fault.requests.map((request) => ({ ...request, headers: maskHeaders(request.headers) })),
  };
}
