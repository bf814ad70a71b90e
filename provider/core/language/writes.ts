import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import type { Forecast } from "./listing";
import type { Address, Observation, Values } from "./object";
import type { Route } from "./route";
import type { Dialect } from "./service";
import type { ObjectHookContext } from "./stepInput";

/**
 * How a service checks at the moment of writing. That a check was lost, the service itself says (`errorKind`). What is
 * read back after a write may be somebody's later edit: the two kinds differ in how it is proven to be ours.
 */
export type CheckAndSet = NamedIndex | RepeatableWrite;

interface CheckBase {
  /** The member of the object that holds its token (an index). */
  readonly token: string;
  /** What a write carries, given the token; "0" stands for "only if absent". */
  carry(token: string): {
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, Json>>;
  };
  /** What else than a change of the object moves its token, in words; none where nothing does. */
  readonly alsoMovedBy?: string;
  /** Whether an update must read first although a token is at hand, because its body takes over what was just read. */
  looksFirst?(inputs: Values): boolean;
}

/** The answer to a write names the index that the write got. */
export interface NamedIndex extends CheckBase {
  readonly proof: "named";
  /** The token that the answer to a write names. */
  named(answer: HttpAnswer): string | undefined;
  /** Whether a token can be that of a write to this object, planned from another token: none from before either, or from after the object's latest. */
  isOwn(named: string, body: Observation["body"], planned: string | undefined): boolean;
  /** Whether an object is still as the write left it whose answer named this token. */
  isStill(named: string, body: Observation["body"]): boolean;
  /** The object exactly as a write left it, where the service keeps its versions. */
  exact(
    context: ObjectHookContext,
    address: Address,
    named: string | undefined,
  ): Promise<Observation["body"] | undefined>;
}

/**
 * Writing exactly what is stored succeeds whatever the token, and changes nothing: so a write that is repeated with its
 * old token tells whether the service still holds what was written.
 */
export interface RepeatableWrite extends CheckBase {
  readonly proof: "repeated";
  /** Whether an object says of itself that nobody wrote it since it was created. */
  isUntouched(body: Observation["body"]): boolean;
  /**
   * Whether the service refuses the repeated write of an object although it holds just that, because it keeps something
   * of its own with it: a refusal proves nothing there.
   */
  refusesEqual?(body: Observation["body"]): boolean;
}

/** A check whose index the answer to a write names. */
export function namedIndex(check: Omit<NamedIndex, "proof">): NamedIndex {
  return { proof: "named", ...check };
}

/** A check that a repeated write passes as long as nobody wrote anything else. */
export function repeatableWrite(check: Omit<RepeatableWrite, "proof">): RepeatableWrite {
  return { proof: "repeated", ...check };
}

/** The token that means "only if absent". */
export const ONLY_IF_ABSENT = "0";

/** How an object is written. */
export interface Writes {
  /**
   * What a service makes of an update: `patch` keeps what is omitted and takes null; `merge` keeps what is omitted and
   * clears with empty values; `whole` takes the object for all there is.
   */
  readonly sends: "patch" | "merge" | "whole";
  readonly create: Route;
  readonly update: Route;
  /** The body as the endpoint wants it; without it the members go as they are. */
  envelope?(body: Body, about: Enveloped): Json;
  /**
   * Completes the body of an update: with what was just read (counts that an autoscaler owns), or what goes along.
   * @throws Error if the update must not be sent
   */
  completes?(body: Body, from: Updated): Body;
  /**
   * Undeclared members that an update does not send back: the server owns them, or keeps them when they are omitted. An
   * update sends back every other undeclared member that a read shows.
   */
  readonly neverSentBack?: readonly string[];
  /** What the service says of a write in a preview, where it can be asked. */
  readonly forecast?: Forecast;
  /** What an answer tells: the object itself, so that no read back is needed; or parts of its address, by their members. */
  readonly answer?: "object" | Readonly<Record<string, string>>;
  /** What the answer to a write tells beside the object, by the properties that are `inReceipt`. */
  receipt?(answer: Json, written: Observation): Receipt;
  /**
   * What comes after a write (a wait for a deployment); a failure leaves the resource half made, and the next up does it
   * again. The write's answer is unknown where it was lost, and where an earlier write is gone on with.
   * @returns what it has learnt beside, by the properties that are `inReceipt`
   */
  after?(
    context: ObjectHookContext,
    inputs: Values,
    written: Observation,
    answer: Json | undefined,
  ): Promise<Receipt>;
}

/** What is known of a write and of no object, by property; of what is undefined nothing is known. */
export type Receipt = Readonly<Record<string, Json | undefined>>;

/** The members of a request, by the wire's names. */
export type Body = { [member: string]: Json };

/** What an envelope may be made of beside the members. */
export interface Enveloped {
  readonly address: Address;
  readonly inputs: Values;
  readonly dialect: Dialect;
}

/** What an update is made from. */
export interface Updated {
  readonly inputs: Values;
  /** What the program wrote last. */
  readonly applied: Values;
  /** The object as just read, where it was. */
  readonly current: Observation["body"] | undefined;
}

/** A route for creates and updates alike, or everything that a definition says of its writes. */
type GivenWrites = Route | (Omit<Writes, "sends" | "update"> & { readonly update?: Route });

/** The service keeps what an update omits, and takes null. */
export const patches = (given: GivenWrites) => writes("patch", given);
/** The service keeps what an update omits, and clears with empty values. */
export const merges = (given: GivenWrites) => writes("merge", given);
/** The service takes what is sent for all there is. */
export const replaces = (given: GivenWrites) => writes("whole", given);

function writes(sends: Writes["sends"], given: GivenWrites): Writes {
  const own = "method" in given ? { create: given } : given;
  return { sends, update: own.create, ...own };
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
  read?(context: ObjectHookContext, address: Address, known: LinkContext): Promise<Json>;
  /** Brings the service from `from` to `to`; null stands for none. */
  write(context: ObjectHookContext, address: Address, change: { from: Json; to: Json }): Promise<void>;
}

/** What is known of a link when it is read. */
export interface LinkContext {
  /** What this program wrote there last, as it wrote it; undefined where it wrote nothing yet. */
  readonly written: Json | undefined;
  /** The object to which it belongs, as just read. */
  readonly body: Observation["body"];
}
