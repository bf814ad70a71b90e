import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import type { Inputs } from "../value/unknown";
import type { Address, Values } from "./object";
import type { Route } from "./route";
import type { Site } from "./service";
import type { HookContext } from "./stepInput";

/**
 * An action: a rotation, a forced unlock. A create sends its request, once; another value in `triggers` replaces the
 * resource, and so sends it again; a delete sends nothing.
 */
export type Action = ActionRequest & AfterLoss;

interface ActionRequest {
  readonly kind: "action";
  readonly route: Route;
  /** Whether a refusal says that there was nothing left to do. */
  isDoneAlready?(answer: HttpAnswer): boolean;
  /** Whether a success shows that it was carried out; by itself any that is as its page says. */
  isAnswered?(answer: HttpAnswer, address: Address): boolean;
}

/** What tells after a lost answer whether it was carried out. */
type AfterLoss =
  | {
      /** What the service shows that is another value once the action was carried out. */
      witness(context: HookContext, address: Address): Promise<Json | undefined>;
      readonly ifUnclear?: undefined;
    }
  | {
      /** Nothing: it is recorded as unclear, and not repeated. What to do then, for the warning. */
      readonly ifUnclear: string;
      readonly witness?: undefined;
    };

/** An action, by its request. */
export function action(
  route: Route,
  more: AfterLoss & Pick<ActionRequest, "isDoneAlready" | "isAnswered">,
): Action {
  return { kind: "action", route, ...more };
}

/**
 * What the service takes and never shows, so that nothing can be compared with it: only what the program wrote last is
 * known, and every write carries the whole.
 */
export interface WriteOnly {
  readonly kind: "writeOnly";
  readonly route: Route;
  /** What stays on the service after a delete, which has no request. */
  readonly staysAs: string;
}

/** What the service takes by this request and never shows, and what a delete leaves of it. */
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
  /** What the state holds of it; empty before anything happened. */
  readonly learnt: Learnt;
  /**
   * Keeps what was just learnt in the state, whatever fails after it, so that the next up goes on from there. A create that
   * keeps nothing leaves nothing in the state.
   */
  keep(known: Learnt): void;
}

/** What tells whether anything is due of what a procedure has made. */
export interface DueInput {
  readonly connection: Site;
  /** What the program writes, or wrote; parts of it may be unknown in a preview. */
  readonly inputs: Inputs;
  readonly learnt: Learnt;
}

/** What is due at the next up by the clock, though the program writes nothing new. */
export interface Due {
  /** The output that it moves. */
  readonly output: string;
  /** Whether it is made anew, and what there is then ended; else it goes on, and only that output moves. */
  readonly isReplacement: boolean;
  /** What a preview says of it. */
  readonly note: string;
}

/**
 * A life that a table of requests cannot describe: a ceremony of several requests, something that is borrowed. Functions
 * beside the definition carry it out, and whatever they keep is in the state, also after a failure.
 */
export interface Procedure {
  readonly kind: "procedure";
  /**
   * Begins, or goes on from what an earlier up has kept.
   * @throws Error where it cannot go on now; what was kept is in the state then.
   */
  proceed(work: Work): Promise<Learnt>;
  /** Reads what it has come to on the service; undefined where it is proven gone. It changes nothing. */
  refresh(work: Work): Promise<Learnt | undefined>;
  /** What a delete does on the service. */
  end(work: Work): Promise<void>;
  /** What is due by now; nothing where nothing is. What is no replacement, `proceed` does. */
  due?(input: DueInput): Due | undefined;
  /** The output that says until when it lasts (RFC 3339): a preview after that shows it as gone, and makes it anew. */
  readonly lastsUntil?: string;
  /** Whether a replacement is created before what it replaces is deleted: both can exist at a time. */
  readonly createBeforeDelete?: boolean;
  /** How it goes, what a refresh looks at, and what a delete does: whole sentences for its page. */
  readonly story: { readonly proceeds: string; readonly refreshes: string; readonly ends: string };
}

/** A life that functions carry out. */
export function procedure(life: Omit<Procedure, "kind">): Procedure {
  return { kind: "procedure", ...life };
}
