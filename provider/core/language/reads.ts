import type { ServiceError } from "../http/errors";
import type { HttpResponse } from "../http/request";
import { type Json, ownMember } from "../value/json";
import { textIn } from "../value/scalar";
import type { Listing } from "./listing";
import type { Address, Observation, Values } from "./object";
import type { Route } from "./route";
import type { Service, Site } from "./service";
import type { ObjectHookContext } from "./stepInput";

/** How an object is read, and which responses Quarterdeck trusts. */
export interface Reads {
  readonly one: Route;
  /** A further request of each read: the member of the object that only its response contains. */
  readonly further?: { readonly route: Route; readonly member: string };
  /** Reads an object whose ID is not known yet, by the other parts of its address. */
  readonly byName?: Route;
  /** How to recognize the requested object in a response. */
  readonly expects: ExpectedMembers;
  /** The proof that an object no longer exists. Default: the service's proof. */
  readonly absence?: AbsenceProof;
  /**
   * The object as its properties describe it, built from the content of the service's envelope. If the response contains
   * several objects, the one at the requested address.
   */
  toObject?(body: Observation["body"], answer: Json, asked: Address): Observation["body"];
  /** Adds values that only the connection knows, such as the object's location at the service. */
  withSite?(body: Observation["body"], site: Site): Observation["body"];
  /** True if a success is the endpoint's way to report that no object exists (a policy that is null). */
  reportsNoObject?(answer: Json): boolean;
  /**
   * True if a response that satisfies `shows` contains no object (a workspace without a key), or a different object than
   * requested (a lock of another holder).
   */
  containsNoObject?(body: Observation["body"], asked: Address): boolean;
  /**
   * The complete address, if only the service knows it: from another form of the ID, or with a part that the proof of
   * absence needs. Called once, before a create or a read by ID alone.
   */
  locate?(context: ObjectHookContext, address: Address): Promise<Address>;
  /** The address for a read by ID alone if the server rejects this one; undefined if the rejection is final. */
  alternativeAddress?(refusal: ServiceError, address: Address): Address | undefined;
  /**
   * The inputs of a program for an object that was only read. They include the address parts that a document in the inputs
   * contains, and omit inputs that contradict each other.
   */
  importedInputs?(inputs: Values, address: Address): Values;
  /**
   * Removes the members of an object's document that a person adopting it would not write, in addition to those that its
   * facts exclude.
   * @param written the program's document, if any: it can decide the meaning of leaving out a member
   */
  withoutImportedDefaults?(document: Json, written?: Json): Json;
  /** How an object ends on its own, if its service removes it some time later. */
  readonly ends?: Ends;
  /** The time of the last write, as the response reports it; undefined if the service does not report it. */
  lastWriteTime?(body: Observation["body"]): Date | undefined;
  /** How the service lists such objects, if it can. */
  readonly list?: Listing;
  /** The list of parent objects whose items contain this object's response: a workspace contains its parts. */
  readonly within?: Listing;
}

/** The end of an object that its service removes afterward. */
export interface Ends {
  /** True if the object has ended, according to its own response or to its item in a list. */
  hasEnded(body: Observation["body"]): boolean;
  /** True if the program wants the object recreated after its removal. */
  isRecreated(inputs: Values): boolean;
  /** The message that a refresh prints about a removed object. */
  readonly note: string;
}

/** How to recognize the requested object in the response to a read, as opposed to any other JSON. */
export type ExpectedMembers =
  | {
      /**
       * The identifying members, by the address part that each contains. A trailing `?` marks a member that not every
       * response contains.
       */
      readonly named: Readonly<Record<string, string>>;
      /** The members that name the parent of the object, by address part, if the path of the read does not contain the part. */
      readonly within?: Readonly<Record<string, string>>;
      /** Members with a fixed value. */
      readonly is?: Readonly<Record<string, string>>;
    }
  /** The members that every response contains, if none identifies the object. */
  | { readonly always: readonly [string, ...string[]] };

/** Decides from a response if an object no longer exists. */
export interface AbsenceProof {
  /** The service's evidence, as worded in the documentation. */
  readonly evidence: string;
  /**
   * True if this response to a read proves that the object no longer exists. The caller throws an error that the proof does
   * not explain.
   */
  proves(answer: HttpResponse, context: ObjectHookContext, address: Address): boolean | Promise<boolean>;
}

/** The proof that an object no longer exists: the definition's own, else the service's. */
export function absenceProofOf({ absence: own }: Service, { absence: gone }: Reads): AbsenceProof {
  if (gone !== undefined) return gone;
  if (own === undefined)
    throw new TypeError("neither the definition nor its service defines the proof of absence");
  return {
    evidence: own.evidence,
    proves: (answer, { connection }) => own.proves(answer, connection.dialect),
  };
}

/** The value of an identifying member. The trailing `?` only means that not every response contains it. */
function memberNamed(member: string, body: Observation["body"]): Json | undefined {
  return ownMember(body, member.replace(/\?$/, ""));
}

/** True if a response does not name a different object than the one written. */
export function isWrittenObject(
  shows: ExpectedMembers,
  written: Readonly<Record<string, Json | undefined>>,
  body: Observation["body"],
): boolean {
  if ("always" in shows) return true;
  return Object.entries({ ...shows.named, ...shows.within }).every(([part, member]) => {
    const value = memberNamed(member, body);
    const wanted = written[part];
    const isUnnamed = value === undefined || value === null;
    return isUnnamed || wanted === undefined || textIn(value) === textIn(wanted);
  });
}

/**
 * True if this is the requested object. Identifying members must match the address parts in the request's path, and the members
 * that name its parent all address parts.
 */
export function isRequestedObject(
  shows: ExpectedMembers,
  path: string,
  address: Address,
  body: Observation["body"],
): boolean {
  if ("always" in shows) return shows.always.every((member) => Object.hasOwn(body, member));
  const isNamed = Object.entries(shows.named).every(([part, member]) => {
    const value = memberNamed(member, body);
    if (value === undefined || value === null || value === "") return member.endsWith("?");
    const asked = address[part];
    const isAskedFor = asked !== undefined && (path.includes(`{${part}}`) || path.includes(`{+${part}}`));
    return !isAskedFor || textIn(value) === asked;
  });
  const isWithin = Object.entries(shows.within ?? {}).every(([part, member]) => {
    const asked = address[part];
    return asked === undefined || ownMember(body, member) === asked;
  });
  return (
    isNamed &&
    isWithin &&
    Object.entries(shows.is ?? {}).every(([member, value]) => ownMember(body, member) === value)
  );
}
