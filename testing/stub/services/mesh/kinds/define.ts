import type { Members } from "../../../json";
import { serverError } from "../errors";
import { always, map, type Place } from "../shape/field";
import { allOf } from "../shape/problems";
import { text } from "../shape/scalars";
import { type Body, type Shape, type StructField, struct } from "../shape/struct";

/** A resource of an ACL rule: one service, the intentions of one service, or the complete mesh or operator scope. */
export type Resource = "service" | "intentions" | "mesh" | "operator";

/** A service's name and namespace. */
export interface ServiceId {
  readonly name: string;
  readonly namespace: string;
}

/** An entry's name, namespace and partition. */
export interface EntryId extends ServiceId {
  readonly partition: string;
}

/** The definition of a kind, from the specification and Consul's public documentation. */
interface Definition<S extends Shape> {
  readonly kind: string;
  /** The permissions for writes and deletes; any one is enough. Empty if the kind is not writable. */
  readonly write: readonly Resource[];
  /** The permissions for reads and lists; any one is enough. Empty if no ACL is required. */
  readonly read: readonly Resource[];
  /** The only permitted name of an entry of this kind. */
  readonly onlyName?: string;
  /** True if the server maintains a `Status` in each entry. */
  readonly hasStatus?: boolean;
  readonly fields: S;
  /** Normalizes an entry, in addition to the normalization of each field. */
  normalize?(body: Body<S>, self: ServiceId): Body<S>;
  /** Throws if the entry breaks a rule of its own kind. */
  validate?(body: Body<S>, self: EntryId): void;
  /** The services that receive the traffic, or that a gateway exposes. */
  leadsTo?(body: Body<S>, self: ServiceId): readonly ServiceId[];
}

/** A definition without its field types. */
export interface Kind extends Omit<Definition<Shape>, "fields" | "normalize" | "validate" | "leadsTo"> {
  readonly fields: StructField<Members>;
  readonly ownFields: Shape;
  normalize(body: Members, self: ServiceId): Members;
  validate(body: Members, self: EntryId): void;
  leadsTo(body: Members, self: ServiceId): readonly ServiceId[];
}

/** The permissions that the table rows name. */
export const CLUSTER = ["mesh", "operator"] as const satisfies readonly Resource[];
export const SERVICE = ["service"] as const satisfies readonly Resource[];

const COMMON = { Meta: map(text) };

/** Defines a kind; `of` types the body of an entry of this kind. */
export function defineKind<S extends Shape>(
  definition: Definition<S>,
): Kind & { of(body: Members): Body<S> } {
  const ownFields = { ...definition.fields, ...COMMON };
  // The kind's own fields read every body stored under the kind.
  const of = (body: Members) => body as Body<S>;
  return {
    ...definition,
    ownFields,
    fields: struct(ownFields),
    of,
    normalize: (body, self) => definition.normalize?.(of(body), self) ?? body,
    validate: (body, self) => definition.validate?.(of(body), self),
    leadsTo: (body, self) => definition.leadsTo?.(of(body), self) ?? [],
  };
}

/** The namespace of an object inside an entry: its own, else the entry's. */
export function placeOf(
  { Namespace = "" }: { readonly Namespace?: string },
  { namespace }: Pick<Place, "namespace">,
): string {
  return Namespace === "" ? namespace : Namespace;
}

/** A service's name in messages: `web` in the default namespace, `team/web` in another. */
export function serviceText({ name, namespace }: ServiceId): string {
  return namespace === "default" ? name : `${namespace}/${name}`;
}

export const name = always(text);

const MOST_META = 64;
const LONGEST_META_KEY = 128;
export const LONGEST_META_VALUE = 512;

/** Checks the rules that apply to entries of every kind. */
export function validateEntry(body: Members, { name }: ServiceId): void {
  if (name === "") throw serverError("Name is required");
  // Every kind has these fields.
  const { Meta: meta = {} } = body as Body<typeof COMMON>;
  const errors: string[] = [];
  if (Object.keys(meta).length > MOST_META) errors.push(`Meta exceeds maximum element count ${MOST_META}`);
  for (const [key, value] of Object.entries(meta)) {
    const quoted = JSON.stringify(key);
    if (key.length > LONGEST_META_KEY) {
      errors.push(`Meta key ${quoted} exceeds maximum length ${LONGEST_META_KEY}`);
    }
    if (value.length > LONGEST_META_VALUE) {
      errors.push(`Meta value for key ${quoted} exceeds maximum length ${LONGEST_META_VALUE}`);
    }
  }
  if (errors.length > 0) throw serverError(allOf(errors));
}
