import type { HttpAnswer } from "../http/request";
import { type Json, ownMember } from "../value/json";
import type { Answers } from "./answers";
import type { ObjectAsking } from "./asking";
import type { Address, Observation, Values } from "./object";

/** One request of a definition. `{name}` stands for a part of the object's address, encoded; `{+name}` keeps its slashes. */
export interface Route {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE" | "LIST";
  readonly path: string;
  /** Query parameters; one whose placeholder is unset is not sent. */
  readonly query?: Readonly<Record<string, string>>;
  /** What its page answers where a write was carried out; the service's rule for its method where nothing is said. */
  readonly answers?: Answers;
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
  read?(context: ObjectAsking, address: Address, known: KnownOfLink): Promise<Json>;
  /** Brings the service from `from` to `to`; null stands for none. */
  write(context: ObjectAsking, address: Address, change: { from: Json; to: Json }): Promise<void>;
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
  proves(answer: HttpAnswer, context: ObjectAsking, address: Address): boolean | Promise<boolean>;
}

/** By what an answer to a read is known to be the object that was asked for, and nothing else that happens to be JSON. */
export interface Shows {
  /** The members that name it, by the part of the address that each is; with `?` one that is not in every answer. */
  readonly named?: Readonly<Record<string, string>>;
  /** The members that its page always answers, where none names it. */
  readonly always?: readonly string[];
  /** Members that have one value only. */
  readonly is?: Readonly<Record<string, string>>;
}

/** Whether this is the object of an address, as it was asked for by a path that holds some of its parts. */
export function isObjectAsked(
  { named = {}, always = [], is = {} }: Shows,
  path: string,
  address: Address,
  body: Observation["body"],
): boolean {
  const isNamed = Object.entries(named).every(([part, member]) => {
    const name = member.replace(/\?$/, "");
    const value = ownMember(body, name);
    if (value === undefined || value === null || value === "") return member.endsWith("?");
    const asked = address[part];
    const isAskedFor = asked !== undefined && (path.includes(`{${part}}`) || path.includes(`{+${part}}`));
    return !isAskedFor || String(value) === asked;
  });
  return (
    isNamed &&
    always.every((member) => Object.hasOwn(body, member)) &&
    Object.entries(is).every(([member, value]) => ownMember(body, member) === value)
  );
}
