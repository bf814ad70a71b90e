import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import type { HookContext } from "./hookContext";
import type { Address, Values } from "./object";
import type { Route } from "./route";

/**
 * What is done once: a rotation, a forced unlock. It acts on create; another value in `triggers` replaces it, and so
 * acts again; a delete does nothing on the service.
 */
export type Action = ActionRequest & AfterLoss;

interface ActionRequest {
  readonly kind: "action";
  readonly route: Route;
  /** Whether a refusal says that there was nothing left to do. */
  isDoneAlready?(answer: HttpAnswer): boolean;
}

/** What tells after a lost answer whether it was carried out. */
type AfterLoss =
  | {
      /** What the service shows that moves when the act is carried out. */
      witness(context: HookContext, address: Address): Promise<Json | undefined>;
      readonly ifUnclear?: undefined;
    }
  | {
      /** Nothing: it is recorded as unclear, and not repeated. What to do then, for the warning. */
      readonly ifUnclear: string;
      readonly witness?: undefined;
    };

/** What is done once, by this request. */
export function action(route: Route, more: AfterLoss & Pick<ActionRequest, "isDoneAlready">): Action {
  return { kind: "action", route, ...more };
}

/**
 * What the service takes and never shows. Nothing can be compared with the service: what the program wrote last is all
 * that is known, and every write carries the whole.
 */
export interface WriteOnly {
  readonly kind: "writeOnly";
  readonly route: Route;
  /** What stays on the service after a delete, which has no request. */
  readonly staysAs: string;
}

/** What the service takes by this request, and never shows; and what stays of it after a delete. */
export function writeOnly(route: Route, staysAs: string): WriteOnly {
  return { kind: "writeOnly", route, staysAs };
}

/** What a procedure has learnt so far, by the wire's names: its outputs, and what it must remember beside them. */
export type Learnt = Readonly<Record<string, Json>>;

/** What a procedure works on. */
export interface Work {
  readonly context: HookContext;
  readonly address: Address;
  readonly inputs: Values;
  /** The inputs as they travel. */
  readonly body: Values;
  /** What the state knows; empty before anything happened. */
  readonly learnt: Learnt;
  /**
   * Keeps what was just learnt: should anything fail from here on, the state has it, and the next up goes on with it. A create that keeps nothing leaves nothing in the state.
   */
  keep(known: Learnt): void;
}

/**
 * A life that no table of requests tells: a ceremony of several steps, something that is borrowed. Small functions beside
 * the definition carry it out; the steps see to it that nothing that they learn is ever lost.
 */
export interface Procedure {
  readonly kind: "procedure";
  /**
   * Begins, or goes on from what an earlier up has kept.
   * @throws Error where it cannot go on now; what was kept is in the state then.
   */
  proceed(work: Work): Promise<Learnt>;
  /** What is known after a look at the service; undefined where it is proven gone. It changes nothing. */
  refresh(work: Work): Promise<Learnt | undefined>;
  /** What a delete does on the service. */
  end(work: Work): Promise<void>;
  /** The output that says until when it lasts (RFC 3339): a preview after that shows it as gone, and makes it anew. */
  readonly lastsUntil?: string;
  /** A replacement takes no place that is taken: it is made before what it replaces is ended. */
  readonly createBeforeDelete?: boolean;
  /** How it goes, what a refresh looks at, and what a delete does: whole sentences for its page. */
  readonly story: { readonly proceeds: string; readonly refreshes: string; readonly ends: string };
}

/** A life that functions carry out. */
export function procedure(life: Omit<Procedure, "kind">): Procedure {
  return { kind: "procedure", ...life };
}
