import { isObject, type Json } from "../../core";

/** A relationship of a document: its name in the request, and its target. */
interface Relationship {
  readonly name: string;
  data(value: Json): Json;
}

/**
 * Returns a function that builds a document of this type. Relationship members are written next to the attributes, and all
 * other members among them.
 */
export function document(type: string, relationships: Readonly<Record<string, Relationship>> = {}) {
  return (members: { readonly [member: string]: Json }): { readonly [member: string]: Json } => {
    const isRelationship = ([member]: [string, Json]) => Object.hasOwn(relationships, member);
    const attributes = Object.entries(members).filter((entry) => !isRelationship(entry));
    const related = Object.entries(relationships).flatMap(([member, { name, data }]) => {
      const value = members[member];
      return value === undefined ? [] : [[name, { data: data(value) }] as const];
    });
    return {
      data: {
        type,
        attributes: Object.fromEntries(attributes),
        ...(related.length > 0 && { relationships: Object.fromEntries(related) }),
      },
    };
  };
}

/** A relationship to one object of this type, by its ID. */
export function toOne(name: string, type: string): Relationship {
  return { name, data: (id) => ({ type, id }) };
}

/** A relationship to any number of objects of this type, by their IDs. */
export function toMany(name: string, type: string): Relationship {
  return { name, data: (ids) => (Array.isArray(ids) ? ids.map((id) => ({ type, id })) : []) };
}

/** The IDs of the targets of a relationship, from the relationships of an object. */
export function targetsIn(relationships: Json | undefined, name: string): string[] {
  const targets = isObject(relationships) ? relationships[name] : undefined;
  if (!Array.isArray(targets)) return [];
  return targets.flatMap((target) => (isObject(target) && typeof target.id === "string" ? [target.id] : []));
}

/**
 * A document as one flat object: its attributes, its ID, and for each to-one relationship the target's ID under
 * `<relationship>-id`. It also contains all relationships and links.
 */
export function flattenDocument(answer: Json): { readonly [member: string]: Json } {
  const data = isObject(answer) && isObject(answer.data) ? answer.data : {};
  const relationships = isObject(data.relationships) ? data.relationships : {};
  const ids = Object.entries(relationships).flatMap(([name, relationship]) => {
    const target = isObject(relationship) ? relationship.data : undefined;
    return isObject(target) && typeof target.id === "string" ? [[`${name}-id`, target.id] as const] : [];
  });
  const attributes = isObject(data.attributes) ? data.attributes : {};
  return {
    ...Object.fromEntries(ids),
    ...withoutNulls(attributes),
    ...pointersOf(data),
    id: data.id ?? null,
  };
}

/** The targets of a document: objects by the names of its relationships, and paths. The paths of relationships are separate. */
function pointersOf({ relationships, links }: { readonly [member: string]: Json }) {
  const each = Object.entries(isObject(relationships) ? relationships : {}).map(
    ([name, relationship]) => [name, isObject(relationship) ? relationship : {}] as const,
  );
  const related = each.flatMap(([name, own]) =>
    isObject(own.links) && own.links.related !== undefined ? [[name, own.links.related] as const] : [],
  );
  return {
    relationships: Object.fromEntries(each.map(([name, { data }]) => [name, data ?? null])),
    links: { ...(isObject(links) ? links : {}), related: Object.fromEntries(related) },
  };
}

/** The time of an object's last change, from its `updated-at`. */
export function updatedAt(body: { readonly [member: string]: Json }): Date | undefined {
  const time = body["updated-at"];
  return typeof time === "string" ? new Date(time) : undefined;
}

/** Omits null attributes, so that they do not hide a relationship with the same name. */
function withoutNulls(attributes: { [name: string]: Json }): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));
}

/** An attribute of an object in a response. */
export function attributeOf(
  { attributes }: { readonly [member: string]: Json },
  name: string,
): Json | undefined {
  return isObject(attributes) ? attributes[name] : undefined;
}

/** The entries of a map as a list of `{ key, value }`, in the order of the keys: the bridges pass maps in different orders. */
export function entriesByKey(map: Json): { readonly key: string; readonly value: Json }[] {
  const entries = Object.entries(isObject(map) ? map : {}).map(([key, value]) => ({ key, value }));
  return entries.sort((one, other) => (one.key < other.key ? -1 : 1));
}
