import type { Json } from "../value/json";
import type { WithMetadata } from "../value/programInputs";

/** Known values by property name. */
export type Values = Readonly<Record<string, Json>>;

/** A program's inputs without unknown values. */
export type KnownInputs = Values & WithMetadata;

/** The address of an object on its service: the parts of its ID and of its request paths. */
export type Address = Readonly<Record<string, string | undefined>>;

/** The result of a read. */
export interface Observation {
  /** The object in its wire form, without its envelope. */
  readonly body: { readonly [member: string]: Json };
  /** The check-and-set token, as a string. */
  readonly revision?: string | undefined;
  /** Proves, together with the token, that the object is unchanged, if a list shows no more of it. */
  readonly stamp?: string | undefined;
  /** Parts of the address that the response contains. */
  readonly address: Address;
}
