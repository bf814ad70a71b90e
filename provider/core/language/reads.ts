import type { ServiceError } from "../http/errors";
import type { HttpAnswer } from "../http/request";
import { type Json, ownMember } from "../value/json";
import { textIn } from "../value/scalar";
import type { Listing } from "./listing";
import type { Address, Observation, Values } from "./object";
import type { Route } from "./route";
import type { Service, Site } from "./service";
import type { ObjectHookContext } from "./stepInput";

/** How an object is read, and what of an answer is believed. */
export interface Reads {
  readonly one: Route;
  /** How an object is read whose id is not known yet, by the other parts of its address. */
  readonly byName?: Route;
  /** By what an answer is known to be the object that was asked for. */
  readonly shows: Shows;
  /** The proof that an object is gone; the service's own where nothing is said. */
  readonly gone?: GoneProof;
  /** The object as its properties name it, made of what the service's envelope holds. */
  as?(body: Observation["body"], answer: Json): Observation["body"];
  /** The same with what only the connection can say of it: where at the service something is. */
  at?(body: Observation["body"], site: Site): Observation["body"];
  /** Whether a success is the endpoint's own word for none (a policy that is null). */
  saysNone?(answer: Json): boolean;
  /**
   * Whether what `shows` takes for the right page shows that there is no object on it (no key of a workspace), or another
   * one than the one asked for (a lock of another holder).
   */
  isNone?(body: Observation["body"], asked: Address): boolean;
  /**
   * The whole address, where only the service can tell it: by another form of the id, or of a part that a proof of its
   * being gone needs. Asked for once, before a create or a read by id alone.
   */
  locate?(context: ObjectHookContext, address: Address): Promise<Address>;
  /** Where a read by id alone finds the object if the server refuses this address; undefined where the refusal stays. */
  addressAfter?(refusal: ServiceError, address: Address): Address | undefined;
  /**
   * The inputs of a program for an object that was only read: without those that contradict others of them, and with the
   * parts of its address that a document of theirs says.
   */
  imports?(inputs: Values, address: Address): Values;
  /**
   * A document of such an object without what a person who takes it over would not write, beside what its facts say.
   * @param written the document of the program, if there is one: it may decide what leaving out a member comes to
   */
  leavesOut?(document: Json, written?: Json): Json;
  /** How an object ends by itself, if its service removes it some time after that. */
  readonly ends?: Ends;
  /** When the object was written last, by an answer's own word; nothing where the service does not tell. */
  writtenAt?(body: Observation["body"]): Date | undefined;
  /** How the service lists such objects, where it can. */
  readonly list?: Listing;
  /** The list of other objects whose items hold what a read answers here: a part of a workspace stands in the workspace. */
  readonly within?: Listing;
}

/** The end of an object that its service removes by itself afterwards. */
export interface Ends {
  /** Whether the object has ended, by its own page or by its item in a list. */
  hasEnded(body: Observation["body"]): boolean;
  /** Whether the program wants it created again once it is removed. */
  isMadeAgain(inputs: Values): boolean;
  /** What a refresh prints about one that is removed. */
  readonly note: string;
}

/** What an answer to a read holds of the object that was asked for, and nothing else that happens to be JSON. */
export type Shows =
  | {
      /** The members that name it, by the part of the address that each is; with `?` one that is not in every answer. */
      readonly named: Readonly<Record<string, string>>;
      /** Members that have one value only. */
      readonly is?: Readonly<Record<string, string>>;
    }
  /** The members that its page always answers, where none names it. */
  | { readonly always: readonly [string, ...string[]] };

/** Reads, by the service's answer, whether an object is gone. */
export interface GoneProof {
  /** The evidence that the service gives, as the documentation says it. */
  readonly evidence: string;
  /** Whether this answer to a read proves that the object is gone; an error that it does not explain is thrown by the caller. */
  proves(answer: HttpAnswer, context: ObjectHookContext, address: Address): boolean | Promise<boolean>;
}

/** The proof that an object is gone: its definition's own, else its service's. */
export function goneProofOf({ gone: own }: Service, { gone }: Reads): GoneProof {
  if (gone !== undefined) return gone;
  if (own === undefined)
    throw new TypeError("neither the definition nor its service says what proves absence");
  return {
    evidence: own.evidence,
    proves: (answer, { connection }) => own.shows(answer, connection.dialect),
  };
}

/** What a member that names an object holds; its mark says only whether every answer has it. */
function namedBy(member: string, body: Observation["body"]): Json | undefined {
  return ownMember(body, member.replace(/\?$/, ""));
}

/** Whether an answer names no other object than the one that was written, as far as it names any. */
export function isObjectWritten(
  shows: Shows,
  written: Readonly<Record<string, Json | undefined>>,
  body: Observation["body"],
): boolean {
  if ("always" in shows) return true;
  return Object.entries(shows.named).every(([part, member]) => {
    const value = namedBy(member, body);
    const wanted = written[part];
    return value === undefined || wanted === undefined || textIn(value) === textIn(wanted);
  });
}

/** Whether this is the object of an address, as it was asked for by a path that holds some of its parts. */
export function isObjectAsked(
  shows: Shows,
  path: string,
  address: Address,
  body: Observation["body"],
): boolean {
  if ("always" in shows) return shows.always.every((member) => Object.hasOwn(body, member));
  const isNamed = Object.entries(shows.named).every(([part, member]) => {
    const value = namedBy(member, body);
    if (value === undefined || value === null || value === "") return member.endsWith("?");
    const asked = address[part];
    const isAskedFor = asked !== undefined && (path.includes(`{${part}}`) || path.includes(`{+${part}}`));
    return !isAskedFor || textIn(value) === asked;
  });
  return (
    isNamed && Object.entries(shows.is ?? {}).every(([member, value]) => ownMember(body, member) === value)
  );
}
