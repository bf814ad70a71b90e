import type { Members } from "../../../json";
import { failed } from "../errors";
import { always, map, type Place } from "../shape/field";
import { allOf } from "../shape/problems";
import { text } from "../shape/scalars";
import { type Body, type Shape, type StructField, struct } from "../shape/struct";

/** A right that an ACL rule gives: on a service or its intentions by name, or on the whole. */
export type Resource = "service" | "intentions" | "mesh" | "operator";

/** A service by its name and namespace. */
export interface ServiceId {
  readonly name: string;
  readonly namespace: string;
}

/** What an entry is called, with the partition in which it is. */
export interface EntryId extends ServiceId {
  readonly partition: string;
}

/** What a kind is, as the specification and the service's public documentation have it. */
interface Definition<S extends Shape> {
  readonly kind: string;
  /** Any of these, to write and delete; none: not writable. */
  readonly write: readonly Resource[];
  /** Any of these, to read and list; none: no ACL required. */
  readonly read: readonly Resource[];
  /** The only name that an entry of this kind may have. */
  readonly onlyName?: string;
  /** The service keeps a `Status` of its own in each entry. */
  readonly hasStatus?: boolean;
  readonly fields: S;
  /** An entry in the service's own spelling, beyond what each field does by itself. */
  normalise?(body: Body<S>, self: ServiceId): Body<S>;
  /** Throws the refusal of an entry that breaks a rule within itself. */
  validate?(body: Body<S>, self: EntryId): void;
  /** The services that traffic goes on to, or that a gateway exposes. */
  leadsTo?(body: Body<S>, self: ServiceId): readonly ServiceId[];
}

/** The same, whatever its fields are. */
export interface Kind extends Omit<Definition<Shape>, "fields" | "normalise" | "validate" | "leadsTo"> {
  readonly fields: StructField<Members>;
  readonly ownFields: Shape;
  normalise(body: Members, self: ServiceId): Members;
  validate(body: Members, self: EntryId): void;
  leadsTo(body: Members, self: ServiceId): readonly ServiceId[];
}

/** The rights that table rows name. */
export const CLUSTER = ["mesh", "operator"] as const satisfies readonly Resource[];
export const SERVICE = ["service"] as const satisfies readonly Resource[];

const COMMON = { Meta: map(text) };

/** `of` says what the body of an entry of this kind holds. */
export function defineKind<S extends Shape>(
  definition: Definition<S>,
): Kind & { of(body: Members): Body<S> } {
  const ownFields = { ...definition.fields, ...COMMON };
  // What is stored under a kind was read by the kind's own fields.
  const of = (body: Members) => body as Body<S>;
  return {
    ...definition,
    ownFields,
    fields: struct(ownFields),
    of,
    normalise: (body, self) => definition.normalise?.(of(body), self) ?? body,
    validate: (body, self) => definition.validate?.(of(body), self),
    leadsTo: (body, self) => definition.leadsTo?.(of(body), self) ?? [],
  };
}

/** What is inside an entry and may be in another namespace than the entry. */
export function placeOf(
  { Namespace = "" }: { readonly Namespace?: string },
  { namespace }: Pick<Place, "namespace">,
): string {
  return Namespace === "" ? namespace : Namespace;
}

/** For texts: `web` in the default namespace, `team/web` in another. */
export function shown({ name, namespace }: ServiceId): string {
  return namespace === "default" ? name : `${namespace}/${name}`;
}

export const name = always(text);

const MOST_META = 64;
const LONGEST_META_KEY = 128;
export const LONGEST_META_VALUE = 512;

/** The rules that hold for an entry of any kind. */
export function validateEntry(body: Members, { name }: ServiceId): void {
  if (name === "") throw failed("Name is required");
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
  if (errors.length > 0) throw failed(allOf(errors));
}
