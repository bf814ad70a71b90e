import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import type { ObjectAsking } from "./asking";
import type { CheckAndSet } from "./checkAndSet";
import { fieldsOf } from "./fields";
import type { Action, Procedure, WriteOnly } from "./kinds";
import type { Address, Observation, Values } from "./object";
import type { Link, Proof, Route, Shows } from "./route";
import type { Dialect } from "./service";
import type { Described } from "./specified";

/** A resource of whichever kind. */
export type AnyDefinition = Definition | Action | WriteOnly | Procedure;

/** An object that is created, read, updated and deleted. */
export interface Definition extends Described {
  readonly kind?: "object";
  /** How an object is found by its program's inputs before it has an id (adoption, and after an unclear create). */
  find?(context: ObjectAsking, address: Address, inputs: Values): Promise<Observation | undefined>;
  readonly read: Route;
  /** How an object is read whose id is not known yet, by the other parts of its address. */
  readonly readByName?: Route;
  readonly create: Route;
  readonly update: Route;
  /** None where the service has no request for it: a delete then sends nothing, and says so. */
  readonly remove?: Route;
  /** What stays on the service after a delete that has no request, for the documentation and the delete itself. */
  readonly staysAs?: string;
  /** What else is to be known of a delete, for the documentation: whole sentences. */
  readonly deletes?: string;
  /** What a delete leaves behind elsewhere, for the documentation and the delete itself. */
  readonly leavesBehind?: string;
  /**
   * How the service takes an update: `patch` keeps what is omitted and takes null; `merge` keeps what is omitted
   * and clears with empty values; `replace` takes the whole object.
   */
  readonly updates: "patch" | "merge" | "replace";
  /** The service refuses to create what exists, so nothing need be looked at first. */
  readonly createRefusesExisting?: (answer: HttpAnswer) => boolean;
  /**
   * Whether a create looks first all the same: what is there before is then never taken for an unclear create's own, nor
   * for ours where the service lets the same object through.
   */
  readonly looksBeforeCreate?: boolean;
  /** When an object was made, as the service says it (ISO 8601): what is older than our create is not ours. */
  bornAt?(body: Observation["body"]): string | undefined;
  /** The inputs of a program for an object that was only read, without those that contradict others of them. */
  imports?(inputs: Values): Values;
  readonly checkAndSet?: CheckAndSet;
  readonly gone: Proof;
  /** By what an answer to a read is known to be the object that was asked for. */
  readonly shows: Shows;
  /** Whether the answer to a create or an update is the whole object, so that no read back is needed. */
  readonly answersWhole?: boolean;
  readonly links?: readonly Link[];
  /**
   * Whether a create may be sent again after a look has shown that its lost request did not happen. Not where
   * the look cannot find the object (it has no name). Default: it may.
   */
  readonly repeatsCreate?: (inputs: Values) => boolean;
  /** Whether an object found at create may be taken over unasked (a stopped job that was never purged). */
  readonly takesOver?: (body: Observation["body"], inputs: Values) => boolean;
  /** Whether an update must read first although a token is at hand, because its body takes over what was just read. */
  readonly looksFirst?: (inputs: Values) => boolean;
  /** Completes the body of an update: with what was just read (counts that an autoscaler owns), or what goes along. */
  readonly fills?: (
    body: { [member: string]: Json },
    from: {
      readonly inputs: Values;
      readonly applied: Values;
      readonly current: Observation["body"] | undefined;
    },
  ) => { [member: string]: Json };
  /** Whether a delete leaves the object alone (`deregisterOnDelete: false`). */
  readonly keepsOnDelete?: (inputs: Values) => boolean;
  /** Whether an object that can still be read counts as deleted (a job that is stopped, and not to be purged). */
  readonly isRemoved?: (body: Observation["body"], inputs: Values) => boolean;
  /** Wraps a body as the endpoint wants it; without it the body goes as it is. */
  wrap?(
    body: { [member: string]: Json },
    context: { readonly address: Address; readonly inputs: Values; readonly dialect: Dialect },
  ): Json;
  /** Takes the object out of an answer; without it the service's own envelope rule. */
  open?(answer: Json, context: ObjectAsking): Observation["body"];
  /**
   * Whether an answer that is a success shows that there is no object (a policy that is null), or another one than the
   * one asked for (a lock of another holder).
   */
  isNone?(body: Observation["body"], asked: Address, answer: Json): boolean;
  /**
   * What the address of an object carries that was not there before a create whose answer was lost, and that may be ours
   * although it cannot be told; undefined where it is somebody else's.
   */
  perhapsOurs?(found: Observation["body"], inputs: Values): Address | undefined;
  /** What an object that a create finds in its place is, for the error: who holds a lock. */
  existing?(body: Observation["body"]): string;
  /** The address that an answer gives (an id that the service made). */
  addressOf?(body: Observation["body"], inputs?: Values): Address;
  /** The address that the object's own id would give, of one that another form of it gives. */
  resolve?(context: ObjectAsking, address: Address): Promise<Address>;
  /**
   * Parts of the address that neither the program nor the object's own answers tell, and that a proof of its being gone
   * needs: asked for once, before a create or a read by id alone.
   */
  locate?(context: ObjectAsking, address: Address): Promise<Address>;
  /** The address that the answer to a create gives, before the object is read. */
  readonly addressInAnswer?: (answer: Json) => Address;
  /** The service's warnings in the answer to a write; they are shown. */
  warningsIn?(answer: Json): string | undefined;
  /** Real work in place of a plain request, where the endpoint needs it. */
  readonly acts?: {
    remove?(context: ObjectAsking, address: Address, inputs: Values, seen: Observation): Promise<void>;
    /**
     * Waits after a write (for a deployment); a failure leaves the resource half made, and the next up waits again.
     * The write's answer is unknown where it was lost, and where an earlier write is waited for.
     */
    settled?(
      context: ObjectAsking,
      inputs: Values,
      written: Observation,
      answer: Json | undefined,
    ): Promise<void>;
  };
  /** How many can be read at once, where a list holds whole objects. */
  readonly list?: { readonly route: Route; readonly pageSize?: number; readonly whole: boolean };
}

/** Checks a definition once, and gives its properties with their facts. */
export function define<D extends AnyDefinition>(definition: D): D {
  fieldsOf(definition);
  return definition;
}
