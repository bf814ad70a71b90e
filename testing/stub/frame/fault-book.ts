import type { Fault, FaultKind, FaultOf } from "./fault";
import { masked } from "./masking";
import { type Arrived, matching } from "./matching";

/** A fault with what has become of it. */
export interface FaultReport {
  readonly id: string;
  readonly fault: Fault;
  /** How many requests matched. */
  readonly seen: number;
  /** How many of them it acted on. */
  readonly used: number;
  /** Whether it acted as often as it was asked to; `always` asks for once at least. */
  readonly isUsed: boolean;
  /** What it could not do: an edit that the service refused, a process that was not there. */
  readonly failures: readonly string[];
}

/** A fault that acts on a request. */
export interface Due<Acting extends Fault = Fault> {
  readonly fault: Acting;
  /** Notes what it could not do. */
  failed(reason: string): void;
}

/** What goes wrong with one request. */
export interface Mishap {
  readonly edit?: Due<FaultOf<"edit">>;
  readonly delay?: Due<FaultOf<"delay">>;
  readonly stale?: Due<FaultOf<"stale">>;
  /** What happens to the answer. */
  readonly answer?: Due<FaultOf<Exclude<FaultKind, "edit" | "delay" | "stale">>>;
}

/** All faults, in the order in which they were given. */
export class FaultBook {
  #entries: Entry[] = [];
  #given = 0;

  /** The fault's id. */
  add(fault: Fault): string {
    this.#given += 1;
    const id = `fault-${this.#given}`;
    this.#entries.push(new Entry(id, fault));
    return id;
  }

  /**
   * What goes wrong with this request. Every fault counts every request that matches it. Of those that are due,
   * the first that decides the answer acts, and the first delay, the first stale read and the first edit with it;
   * the others wait for the next request that matches.
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
    // Each entry stands in the part that its kind belongs to; the compiler cannot follow that through the loop.
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

  failed(reason: string): void {
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
    requests: fault.requests.map((request) => ({ ...request, headers: masked(request.headers) })),
  };
}
