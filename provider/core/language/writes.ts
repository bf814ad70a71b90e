import type { HttpResponse } from "../http/request";
import type { Json } from "../value/json";
import type { Forecast } from "./listing";
import type { Address, Observation, Values } from "./object";
import type { Route } from "./route";
import type { Dialect } from "./service";
import type { HookContext, ObjectHookContext } from "./stepInput";

/**
 * How a service checks a precondition at the moment of a write. `errorKind` recognizes a failed precondition. A read after a
 * write can return someone else's later edit: the two kinds differ in how they prove that it is our own write.
 */
export type CheckAndSet = ReturnedIndex | RepeatableWrite;

interface CheckBase {
  /** The member of the object that contains its token (an index). */
  readonly token: string;
  /** The parts of a write that carry the token; "0" means "only if absent". */
  requestParts(token: string): {
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, Json>>;
  };
  /** Causes other than a change of the object that change its token, in words; unset if nothing else changes it. */
  readonly alsoChangedBy?: string;
  /**
   * Why the service may reject a write although it carries the object's current token, in words (someone locked the object);
   * unset if it never does.
   */
  readonly rejectsCurrent?: string;
  /** True if an update must read first although a token is known, because its body includes values just read. */
  readsFirst?(inputs: Values): boolean;
}

/** The response to a write contains the index of that write. */
export interface ReturnedIndex extends CheckBase {
  readonly proof: "returned";
  /** The token in the response to a write. */
  returnedToken(answer: HttpResponse): string | undefined;
  /**
   * True if the token can be that of a write to this object, planned from another token. It is not older than the object's
   * creation or the planned token, and not newer than the object's latest write.
   */
  isOwn(named: string, body: Observation["body"], planned: string | undefined): boolean;
  /** True if an object is unchanged since the write whose response contained this token. */
  isUnchangedSince(named: string, body: Observation["body"]): boolean;
  /** The object as each stored write left it, oldest first; empty if the service does not show its versions. */
  versions(context: ObjectHookContext, address: Address): Promise<readonly Observation["body"][]>;
}

/**
 * A write of exactly the stored content succeeds with any token, and changes nothing. Repeating a write with its old token
 * therefore shows if the service still has the written content.
 */
export interface RepeatableWrite extends CheckBase {
  readonly proof: "repeated";
  /** True if an object shows that no one has written it since its creation. */
  isNeverUpdated(body: Observation["body"]): boolean;
  /**
   * True if the service rejects a repeated write of identical content because it stores data of its own with the object. A
   * rejection then proves nothing.
   */
  rejectsIdentical?(body: Observation["body"]): boolean;
}

/** A check whose index the response to a write contains. */
export function returnedIndex(check: Omit<ReturnedIndex, "proof">): ReturnedIndex {
  return { proof: "returned", ...check };
}

/** A check that a repeated write passes as long as no one wrote anything else. */
export function repeatableWrite(check: Omit<RepeatableWrite, "proof">): RepeatableWrite {
  return { proof: "repeated", ...check };
}

/** The token that means "only if absent". */
export const ONLY_IF_ABSENT = "0";

/** How an object is written. */
export interface Writes {
  /**
   * The semantics of an update. `patch` keeps omitted members and accepts null. `merge` keeps omitted members and clears
   * others with empty values. `replace` replaces the complete object.
   */
  readonly semantics: "patch" | "merge" | "replace";
  readonly create: Route;
  readonly update: Route;
  /** The body in the endpoint's format. Default: the members unchanged. */
  envelope?(body: Body, about: EnvelopeInput): Json;
  /**
   * Completes the body of an update with values just read (counts that an autoscaler owns), or with accompanying members.
   * @throws Error if the update must not be sent
   */
  completeBody?(body: Body, from: UpdateInput): Body;
  /** A check that only some servers of this API have. If all servers have it, define `check` instead. */
  readonly precondition?: Precondition;
  /** Properties that an object inherits again once the program drops them; unset if there are none. */
  readonly inheritance?: Inheritance;
  /**
   * Undeclared members that an update does not send back: the server owns them, or keeps them when they are omitted. An
   * update semantics back every other undeclared member that a read shows.
   */
  readonly neverSentBack?: readonly string[];
  /** The server's plan for the write, shown in a preview, if the service offers one. */
  readonly forecast?: Forecast;
  /** The content of a response: the object itself, so that no read is needed, or parts of its address, by their members. */
  readonly returns?: "object" | Readonly<Record<string, string>>;
  /** The values of the `inReceipt` properties, from the response to a write. */
  receipt?(answer: Json, written: Observation): Receipt;
  /**
   * Work after a write (a wait for a deployment). A failure leaves the resource partially created, and the next `pulumi up`
   * repeats the work. The write's response is undefined if it was lost, or if an earlier write is resumed.
   * @returns further values of the `inReceipt` properties
   */
  after?(
    context: ObjectHookContext,
    inputs: Values,
    written: Observation,
    answer: Json | undefined,
  ): Promise<Receipt>;
}

/**
 * A check-and-set of some servers or of some changes. A write with it reads first, like a write without a check, and the
 * server rejects the write if the object has changed since that read.
 */
export interface Precondition {
  /** The servers that check it, for the documentation. Unset if every server does. */
  readonly servers?: string;
  /** The changes that the check does not detect, for the documentation: the subject of a sentence in the plural. */
  readonly undetected?: string;
  /**
   * The members of a write that carry the check.
   * @param current the object as just read; undefined if it must be absent
   */
  members(current: Observation["body"] | undefined): Body;
  /**
   * The remains of a deleted object that a create must name, such as the number of its last version; undefined if there are
   * none. Read if the server rejects the create of an object that a read does not show.
   */
  remains?(context: ObjectHookContext, address: Address): Promise<Observation["body"] | undefined>;
}

/** How an update makes an object inherit dropped properties, for example from its organization. */
export interface Inheritance {
  /** The members of an update that reset the dropped properties; empty if none is dropped. */
  flags(from: UpdateInput): Body;
  /**
   * The values that the object inherits, by property; empty if the server shows none. Requested only if the object does not
   * show whether the flags took effect.
   */
  values(context: HookContext, address: Address): Promise<Readonly<Record<string, Json | undefined>>>;
}

/** Facts about a write instead of an object, by property. An undefined value is unknown. */
export type Receipt = Readonly<Record<string, Json | undefined>>;

/** The members of a request, by wire name. */
export type Body = { [member: string]: Json };

/** Further input for an envelope. */
export interface EnvelopeInput {
  readonly address: Address;
  readonly inputs: Values;
  readonly dialect: Dialect;
  /** The check-and-set token of the write, for an envelope that contains it; "0" for "only if absent". */
  readonly revision?: string | undefined;
}

/** The input for completing an update. */
export interface UpdateInput {
  readonly inputs: Values;
  /** The program's inputs at the last write. */
  readonly applied: Values;
  /** The object as just read, if it was read. */
  readonly current: Observation["body"] | undefined;
}

/** One route for creates and updates, or a definition's complete description of its writes. */
type GivenWrites = Route | (Omit<Writes, "semantics" | "update"> & { readonly update?: Route });

/** The service keeps members that an update omits, and accepts null. */
export const patches = (given: GivenWrites) => writes("patch", given);
/** The service keeps members that an update omits, and clears them with empty values. */
export const merges = (given: GivenWrites) => writes("merge", given);
/** An update replaces the complete object. */
export const replaces = (given: GivenWrites) => writes("replace", given);

function writes(semantics: Writes["semantics"], given: GivenWrites): Writes {
  const own = "method" in given ? { create: given } : given;
  return { semantics, update: own.create, ...own };
}

/** A part of a resource with a request of its own (an SSH key, a set of tags). */
export interface Link {
  /** The property that the link carries. */
  readonly field: string;
  /** The create's own body includes the link, so only updates need its request. */
  readonly isCreatedWith?: boolean;
  /**
   * Reads the value with further requests. Default: the object's own response contains it.
   * @throws NotOfferedError if this server has no endpoint for it.
   */
  read?(context: ObjectHookContext, address: Address, known: LinkContext): Promise<Json>;
  /** Changes the value on the service from `from` to `to`; null means no value. `inputs` are the program's. */
  write(
    context: ObjectHookContext,
    address: Address,
    change: { from: Json; to: Json; inputs: Values },
  ): Promise<void>;
}

/** Known data about a link when it is read. */
export interface LinkContext {
  /** The value that the program wrote last, in its own form; undefined if the program has not written one yet. */
  readonly written: Json | undefined;
  /** The object that the link belongs to, as just read. */
  readonly body: Observation["body"];
}
