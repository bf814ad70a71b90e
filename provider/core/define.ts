import type { z } from "zod";
import type { CheckAndSet } from "./checkAndSet";
import type { Connection } from "./connection";
import { fieldsOf } from "./fields";
import type { HttpAnswer } from "./http/request";
import type { IdTemplate } from "./id";
import type { Json } from "./json";
import type { Action, Procedure, WriteOnly } from "./kinds";
import type { Address, Observation, Values } from "./object";
import type { Path } from "./path";
import type { Problem, Rule } from "./rules";
import type { Dialect, Service } from "./service";
import type { ServiceText } from "./serviceText";
import type { StepContext } from "./steps/context";
import type { Inputs, Value } from "./unknown";

export type { Action, Known, Procedure, Work, WriteOnly } from "./kinds";
export type { Address, Observation, Values } from "./object";

/** One request of a definition. `{name}` stands for a part of the object's address, encoded; `{+name}` keeps its slashes. */
export interface Route {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE" | "LIST";
  readonly path: string;
  /** Query parameters; one whose placeholder is unset is not sent. */
  readonly query?: Readonly<Record<string, string>>;
  /** Further parts of the body or the query that steer this one request, from the inputs. */
  readonly steer?: (inputs: Values) => {
    readonly body?: Values;
    readonly query?: Readonly<Record<string, string>>;
  };
}

/** A part of a resource with a request of its own (an ssh key, a set of tags). */
export interface Link {
  /** The property that it carries. */
  readonly field: string;
  /** It travels in the create's own body, so only updates need its request. */
  readonly isCreatedWith?: boolean;
  /**
   * Further reads that its value needs; without it the object's own answer holds the value.
   * @throws NotOfferedError where this server has no endpoint for it.
   */
  read?(context: StepContext, address: Address, known: KnownOfLink): Promise<Json>;
  /** Brings the service from `from` to `to`; null stands for none. */
  write(context: StepContext, address: Address, change: { from: Json; to: Json }): Promise<void>;
}

/** What is known of a link when it is read. */
export interface KnownOfLink {
  /** What this program wrote there last, as it wrote it; undefined where it wrote nothing yet. */
  readonly written: Json | undefined;
  /** The object to which it belongs, as just read. */
  readonly body: Observation["body"];
}

/** Reads, by the service's answer, whether an object is gone. */
export interface Proof {
  /** The evidence that the service gives, as the documentation says it. */
  readonly evidence: string;
  /** Whether this answer to a read proves that the object is gone; an error that it does not explain is thrown by the caller. */
  proves(answer: HttpAnswer, context: StepContext, address: Address): boolean | Promise<boolean>;
}

/** Whatever has properties with facts: a resource, or a function's arguments. */
export interface Specified {
  /** `service:Type`, or `service:function`, for ever. */
  readonly token: `${string}:${string}`;
  readonly doc: string;
  /** The heading of the specification that describes it. */
  readonly section: string;
  readonly service: Service;
  readonly fields: Readonly<Record<string, z.ZodType>>;
  readonly rules?: readonly Rule[];
  /** The parts of the address that come from the service's settings where the program gives none. */
  readonly fallsBack?: Readonly<Record<string, (connection: Connection) => string | undefined>>;
  /**
   * Parts of the address that have a default: whether an object stays where it is on record although the default is
   * another one now. It is asked where the program does not say the part.
   */
  readonly staysAt?: Readonly<
    Record<string, (connection: Connection, recorded: string | undefined) => boolean>
  >;
  /** The parts of the address without which nothing can be sent. */
  readonly needs?: readonly string[];
  /** What the service takes for a part of the address that nobody gives, as far as the specification says it. */
  readonly unsetMeans?: Readonly<Record<string, string>>;
  /** The address that the program's inputs give, beyond its identity properties; parts of both may be unknown. */
  addressFrom?(inputs: Inputs): Readonly<Record<string, Value | undefined>>;
  /** Text in which only the service can read what a program means. */
  readonly serviceText?: ServiceText;
  /** Parts of the address that follow from others, whoever gave those. */
  completes?(address: Address): Address;
  /** What is wrong with the address as a whole, and at which property. */
  addressProblem?(address: Address): Problem | undefined;
}

/** What every kind of resource says of itself, as its page in the specification describes it. */
export interface Described extends Specified {
  readonly id: IdTemplate;
  /** A replacement takes no place that is taken: it is made before what it replaces is ended. */
  readonly standsBeside?: boolean;
  /** What a preview says about this change, beside the change itself. */
  notes?(change: PlannedChange): readonly string[];
}

/** A resource of whichever kind. */
export type AnyDefinition = Definition | Action | WriteOnly | Procedure;

/** An object that is created, read, updated and deleted. */
export interface Definition extends Described {
  readonly kind?: "object";
  /** How an object is found by its program's inputs before it has an id (adoption, and after an unclear create). */
  find?(context: StepContext, address: Address, inputs: Values): Promise<Observation | undefined>;
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
  open?(answer: Json, context: StepContext): Observation["body"];
  /**
   * Whether an answer that is a success shows that there is no object (a policy that is null), or another one than the
   * one asked for (a lock of another holder).
   */
  isNone?(body: Observation["body"], asked: Address): boolean;
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
  resolve?(context: StepContext, address: Address): Promise<Address>;
  /**
   * Parts of the address that neither the program nor the object's own answers tell, and that a proof of its being gone
   * needs: asked for once, before a create or a read by id alone.
   */
  locate?(context: StepContext, address: Address): Promise<Address>;
  /** The address that the answer to a create gives, before the object is read. */
  readonly addressInAnswer?: (answer: Json) => Address;
  /** The service's warnings in the answer to a write; they are shown. */
  warningsIn?(answer: Json): string | undefined;
  /** Real work in place of a plain request, where the endpoint needs it. */
  readonly acts?: {
    remove?(context: StepContext, address: Address, inputs: Values, seen: Observation): Promise<void>;
    /**
     * Waits after a write (for a deployment); a failure leaves the resource half made, and the next up waits again.
     * The write's answer is unknown where it was lost, and where an earlier write is waited for.
     */
    settled?(
      context: StepContext,
      inputs: Values,
      written: Observation,
      answer: Json | undefined,
    ): Promise<void>;
  };
  /** How many can be read at once, where a list holds whole objects. */
  readonly list?: { readonly route: Route; readonly pageSize?: number; readonly whole: boolean };
}

/** What a preview is told about. */
export interface PlannedChange {
  readonly step: "create" | "update" | "delete";
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly changed: readonly Path[];
  /** What the state shows of the resource, as last read; nothing before a create. */
  readonly outputs?: Inputs;
}

/** Checks a definition once, and gives its properties with their facts. */
export function define<D extends AnyDefinition>(definition: D): D {
  fieldsOf(definition);
  return definition;
}
