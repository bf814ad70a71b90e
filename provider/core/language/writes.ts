import type { Json } from "../value/json";
import type { Forecast } from "./forecast";
import type { ObjectHookContext } from "./hookContext";
import type { Address, Observation, Values } from "./object";
import type { Route } from "./route";
import type { Dialect } from "./service";

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
