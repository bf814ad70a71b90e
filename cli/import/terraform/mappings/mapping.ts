import type { Json } from "../../../../provider/core/value/json";
import type { Attributes } from "../source";

/** How an object of another tool becomes objects of this package. */
export interface Mapping {
  /** The objects. An object that two mappings name becomes one resource. */
  readonly targets: (attributes: Attributes) => readonly Target[];
  /** True if the type has only a part of an object, and another type has the object itself. */
  readonly isPart?: boolean;
  /** The attributes that Terraform always marks as sensitive, and that are not secret in this object. */
  readonly shown?: (attributes: Attributes) => readonly string[];
  /**
   * The property with a document that becomes a secret if the state marks any part of the object as sensitive, because the
   * state does not say which values of the document that is. `shownBy` is the command that shows the document.
   */
  readonly document?: { readonly property: string; readonly shownBy: string };
  /** A difference that the user has to know, for the report. */
  readonly note?: string;
  /** The ID for Terraform's own import; undefined if it is unknown. Default: the attribute `id`. `none`: there is no import. */
  readonly importId?: "none" | ((attributes: Attributes, find: FindAttributes) => string | undefined);
}

/** Finds the attributes of the state's object with a type and an ID. */
export type FindAttributes = (type: string, id: string | undefined) => Attributes | undefined;

/** An object of this package. */
export interface Target {
  /** For example `scheduler:Job`. */
  readonly token: string;
  /** The parts of its ID; a missing part has the connection's value. */
  readonly address: Readonly<Record<string, string | undefined>>;
  /** The name by which the server's list gives the rest of the ID, if the state does not contain the ID. */
  readonly listedAs?: string | undefined;
  /** A suffix of the resource's name, if one object becomes several of one type. */
  readonly suffix?: string;
  /** True if the server may not have the object: then it is left out. */
  readonly isOptional?: boolean;
  /** The inputs of an object that its server never returns, except secrets. */
  readonly inputs?: Readonly<Record<string, Json | undefined>>;
  /** The names of the secret inputs of such an object. */
  readonly secretInputs?: readonly string[];
  /** Outputs that other objects may refer to, besides the parts of the ID and the inputs. */
  readonly outputs?: Readonly<Record<string, string | undefined>>;
}

export type Mappings = Readonly<Record<string, Mapping>>;

/** A type that becomes one resource. `parts` names the attribute of each part of the ID. */
export function oneResource(
  token: string,
  parts: Readonly<Record<string, string>>,
  rest: Omit<Mapping, "targets"> = {},
): Mapping {
  return { ...rest, targets: (attributes) => [{ token, address: addressFrom(attributes, parts) }] };
}

/** The parts of an ID from the attributes with these names. */
export function addressFrom(attributes: Attributes, parts: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(parts).map(([part, name]) => [part, textOf(attributes[name])]));
}

/** A text or a number as a text; undefined if it is empty or anything else. */
export function textOf(value: Json | undefined): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Texts joined with slashes; undefined if one of them is missing. */
export const joined = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.includes(undefined) ? undefined : texts.join("/");

/** Texts by name, without missing ones. */
export function withoutMissing(texts: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const known = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(known);
}
