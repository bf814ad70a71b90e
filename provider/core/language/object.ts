import type { Json } from "../value/json";

/** Known values by property name. */
export type Values = Readonly<Record<string, Json>>;

/** What an object is called on its service: the parts of its id and of its requests' paths. */
export type Address = Readonly<Record<string, string | undefined>>;

/** What a read found. */
export interface Observation {
  /** The object as it travels, opened from its envelope. */
  readonly body: { readonly [member: string]: Json };
  /** The check-and-set token, as text. */
  readonly token?: string;
  /** What proves beside the token that the object is as it was, where a list shows no more of it. */
  readonly stamp?: string;
  /** Parts of the address that the answer gives. */
  readonly address: Address;
}
