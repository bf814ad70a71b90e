import { z } from "zod";
import { isObject, type Json } from "../value/json";
import type { Path } from "../value/path";
import { innerSchema, wireName } from "./documentFacts";
import { knownFactsOf } from "./facts";

/** How a service matches a member whose name has another spelling. */
export interface Decoding {
  /** Returns the same text for two spellings of one name. */
  readonly fold: (name: string) => string;
  /** The name of the member at this path in another dialect. Default: its own. */
  readonly otherName?: (path: Path) => string | undefined;
}

/** One place in a document: the members that its schemas know, under the names on the wire. */
export class MemberPlace {
  readonly #schemas: readonly z.ZodType[];
  readonly #places = new Map<string, MemberPlace>();
  #members: ReadonlyMap<string, readonly z.ZodType[]> | undefined;
  #storedNames: ReadonlyMap<string, string> | undefined;
  #elements: MemberPlace | undefined;
  #entries: MemberPlace | undefined;

  /** Takes several schemas if only the rest of the document decides which of them applies. */
  constructor(
    schemas: readonly z.ZodType[],
    readonly decoding: Decoding,
    readonly path: Path = [],
  ) {
    this.#schemas = schemas.map(innerSchema);
  }

  /** True if the schemas know nothing here, as in a map with user-defined values. */
  get isFree(): boolean {
    return this.#schemas.length === 0;
  }

  /** True if an object here has known members, and not only user-defined keys. */
  get hasMembers(): boolean {
    return this.#known.size > 0;
  }

  /** The elements of a list here. */
  get elements(): MemberPlace {
    this.#elements ??= this.#inside(0, (schema) =>
      // zod types the inner schema as its core type, but lists and maps contain full schemas.
      schema instanceof z.ZodArray ? [schema.element as z.ZodType] : [],
    );
    return this.#elements;
  }

  /** The values of a map here, under user-defined keys. */
  get #valuesOfMap(): MemberPlace {
    this.#entries ??= this.#inside("{}", (schema) =>
      schema instanceof z.ZodRecord ? [schema.valueType as z.ZodType] : [],
    );
    return this.#entries;
  }

  #inside(segment: string | number, of: (schema: z.ZodType) => readonly z.ZodType[]): MemberPlace {
    const schemas = typeof segment === "number" ? this.#schemas : this.#objects;
    return new MemberPlace(schemas.flatMap(of), this.decoding, [...this.path, segment]);
  }

  /** An object instead of a list is its only element. */
  get #objects(): readonly z.ZodType[] {
    return [...this.#schemas, ...this.elements.#schemas];
  }

  get #known(): ReadonlyMap<string, readonly z.ZodType[]> {
    this.#members ??= this.#listMembers();
    return this.#members;
  }

  #listMembers(): ReadonlyMap<string, readonly z.ZodType[]> {
    const members = new Map<string, readonly z.ZodType[]>();
    for (const schema of this.#objects) {
      if (!(schema instanceof z.ZodObject)) continue;
      for (const [name, member] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
        const own = knownFactsOf(member)?.wire ?? wireName(name, "pascal");
        const other = this.decoding.otherName?.([...this.path, own]) ?? own;
        for (const each of new Set([own, other])) members.set(each, [...(members.get(each) ?? []), member]);
      }
    }
    return members;
  }

  /** The member's place. If the schemas know no such member, the place of a map's value. */
  at(name: string): MemberPlace {
    return this.member(name) ?? this.#valuesOfMap;
  }

  /** The place of a member that the schemas know. */
  member(name: string): MemberPlace | undefined {
    const schemas = this.#known.get(name);
    if (schemas === undefined) return undefined;
    const found = this.#places.get(name) ?? new MemberPlace(schemas, this.decoding, [...this.path, name]);
    this.#places.set(name, found);
    return found;
  }

  /** The stored name of a member. If the owner also has the stored name, the member's name does not change. */
  storedName(owner: object, written: string): string {
    if (this.#known.has(written)) return written;
    const { fold } = this.decoding;
    this.#storedNames ??= new Map([...this.#known.keys()].map((name) => [fold(name), name]));
    const stored = this.#storedNames.get(fold(written));
    return stored === undefined || Object.hasOwn(owner, stored) ? written : stored;
  }
}

/** A part of a document with its members under the names that the service stores. Returns the same value if no name changes. */
export function withStoredNames(value: Json, place: MemberPlace): Json {
  if (place.isFree || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const elements = value.map((element) => withStoredNames(element, place.elements));
    return elements.some((element, index) => element !== value[index]) ? elements : value;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([written, member]): [string, Json] => {
    const name = place.storedName(value, written);
    return [name, withStoredNames(member, place.at(name))];
  });
  const isSame = members.every(([name, member]) => Object.hasOwn(value, name) && value[name] === member);
  return isSame ? value : Object.fromEntries(members);
}
