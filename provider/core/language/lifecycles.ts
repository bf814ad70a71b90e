import type { HttpResponse } from "../http/request";
import type { Json } from "../value/json";
import type { Inputs } from "../value/unknown";
import type { Address, Values } from "./object";
import type { Route } from "./route";
import type { Site } from "./service";
import type { HookContext } from "./stepInput";

/**
 * An action, such as a rotation or a forced unlock. A create sends its request once. A change of `triggers` replaces the
 * resource, which sends the request again. A delete sends nothing.
 */
export type Action = ActionRequest & AfterLoss;

interface ActionRequest {
  readonly kind: "action";
  readonly route: Route;
  /** True if a rejection means that the action had nothing left to do. */
  isAlreadyDone?(answer: HttpResponse): boolean;
  /**
   * True if a successful response proves that the action ran. Default: any response that matches the endpoint's
   * documentation.
   */
  isConfirmed?(answer: HttpResponse, address: Address): boolean;
}

/** How to find out, after a lost response, if the action ran. */
type AfterLoss =
  | {
      /** Reads a value from the server that changes when the action runs. */
      witness(context: HookContext, address: Address): Promise<Json | undefined>;
      readonly ifUnclear?: undefined;
    }
  | {
      /**
       * No such value exists: the outcome is recorded as unknown, and the action is not repeated. The text is the remedy for
       * the warning.
       */
      readonly ifUnclear: string;
      readonly witness?: undefined;
    };

/** Defines an action by its request. */
export function action(
  route: Route,
  more: AfterLoss & Pick<ActionRequest, "isAlreadyDone" | "isConfirmed">,
): Action {
  return { kind: "action", route, ...more };
}

/**
 * A resource that the service accepts but never returns, so nothing can be compared. Only the program's last inputs are
 * known, and every write sends the complete resource.
 */
export interface WriteOnly {
  readonly kind: "writeOnly";
  readonly route: Route;
  /** The data that stays on the service after a delete, because the service has no delete request. */
  readonly remains: string;
}

/** Defines a write-only resource by its request and the data that stays on the service after a delete. */
export function writeOnly(route: Route, staysAs: string): WriteOnly {
  return { kind: "writeOnly", route, remains: staysAs };
}

/** The state of a procedure so far, by wire names: its outputs, and further values to remember. */
export type ProcedureProgress = Readonly<Record<string, Json>>;

/** The input of a procedure's functions. */
export interface ProcedureInput {
  readonly context: HookContext;
  readonly address: Address;
  readonly inputs: Values;
  /** The inputs in their wire form. */
  readonly body: Values;
  /** The procedure's state; empty before its first result. */
  readonly progress: ProcedureProgress;
  /**
   * Saves progress in the state, even if a later step fails, so that the next `pulumi up` continues from there. A create
   * that saves nothing leaves nothing in the state.
   */
  save(known: ProcedureProgress): void;
}

/** The input for deciding if scheduled work is due. */
export interface DueInput {
  readonly connection: Site;
  /** The program's current or last inputs; parts may be unknown in a preview. */
  readonly inputs: Inputs;
  readonly progress: ProcedureProgress;
}

/** A scheduled change that the next `pulumi up` makes by the clock, although the program does not change. */
export interface Due {
  /** The output that changes. */
  readonly output: string;
  /** True if a new object is created and the current one ended. Otherwise the object stays, and only that output changes. */
  readonly isReplacement: boolean;
  /** The preview's note about the change. */
  readonly note: string;
}

/**
 * A kind of resource that a table of requests cannot describe, such as a ceremony of several requests or something borrowed.
 * Functions next to the definition implement it. The state contains everything that they save, even after a failure.
 */
export interface Procedure {
  readonly kind: "procedure";
  /**
   * Starts, or continues from the progress that an earlier `pulumi up` saved.
   * @throws Error if it cannot continue now; the state then contains the saved progress.
   */
  proceed(work: ProcedureInput): Promise<ProcedureProgress>;
  /**
   * Reads the current result from the service; undefined if the service proves that it no longer exists. It changes nothing.
   */
  refresh(work: ProcedureInput): Promise<ProcedureProgress | undefined>;
  /** Carries out a delete on the service. */
  end(work: ProcedureInput): Promise<void>;
  /** The change that is now due; undefined if none is. `proceed` makes a change that is not a replacement. */
  due?(input: DueInput): Due | undefined;
  /** The output with the expiry time (RFC 3339). A preview after that time shows the object as deleted, and recreates it. */
  readonly lastsUntil?: string;
  /** True if a replacement is created before the old object is deleted, because both can exist at a time. */
  readonly createBeforeDelete?: boolean;
  /** The procedure, the reads of a refresh and the effect of a delete, as complete sentences for its page. */
  readonly description: { readonly proceeds: string; readonly refreshes: string; readonly ends: string };
}

/** Defines a kind of resource that functions implement. */
export function procedure(life: Omit<Procedure, "kind">): Procedure {
  return { kind: "procedure", ...life };
}
