import { z } from "zod";
import type { Json } from "../value/json";
import type { Pattern } from "../value/path";
import type { Spelling } from "../value/spelling";
import type { Location, Role, WriteOnlySending } from "./role";

/** What a document is made of, where a definition knows more of it than "free JSON". Patterns name wire members. */
export interface DocumentFacts {
  /** Lists that are compared element by element: the list's pattern, and the members that make an element's key. */
  readonly keyedBy?: Readonly<Record<Pattern, readonly string[]>>;
  /** The service adds nothing to it: whatever the program does not write is to go, also what was there from the first. */
  readonly exact?: boolean;
  /** Members whose presence means something although they are empty; any other empty map or list means nothing. */
  readonly blocks?: readonly Pattern[];
  /** Entries of maps with the user's keys: an empty entry is an entry. Default: as the property's schema states. */
  readonly entries?: readonly Pattern[];
  /** The same for maps whose values are the user's too: everything inside an entry counts, at any depth. */
  readonly freeEntries?: readonly Pattern[];
  /** Members whose empty value (empty text, 0, false) says the same as leaving them out. */
  readonly empties?: readonly Pattern[];
  /** The same for members that say it with another value, because that is what leaving them out comes to. */
  readonly leftOut?: Readonly<Record<Pattern, Json>>;
  /** Lists in which order means nothing. */
  readonly unordered?: readonly Pattern[];
  /** Members that two texts may spell differently. */
  readonly spellings?: Readonly<Record<Pattern, Spelling>>;
  /** Members that the service owns: neither managed nor compared. */
  readonly serverOwned?: readonly Pattern[];
  /** Members that hold secrets, in both directions. */
  readonly secret?: readonly Pattern[];
  /** Members that others own, as these inputs ask for: the program does not manage them at all. */
  readonly othersOwned?: (inputs: Readonly<Record<string, Json>>) => readonly Pattern[];
  /**
   * Defaults that the service is known to put in where a member is left out. They are never compared or sent: they only
   * explain an answer, so that no further request has to prove that a value is the service's own.
   */
  readonly serverDefaults?: Readonly<Record<Pattern, Json>>;
  /** The same, where the service puts in a part of the object's own address: the part, by the member's pattern. */
  readonly inherited?: Readonly<Record<Pattern, string>>;
  /** Members that the service takes without keeping them where they were written: it hands them down to what is inside. */
  readonly handedDown?: readonly Pattern[];
  /** Blocks that the service drops where they hold zero values only. */
  readonly dropped?: readonly Pattern[];
  /** What a program means by leaving a member out: managed as if it were written. */
  readonly implied?: Readonly<Record<string, Json>>;
  /** The same, where it means the value of another member: the name, and that member's. */
  readonly impliedBy?: Readonly<Record<string, string>>;
  /** What a delete sets members to first: where somebody else has set them so, that is no conflict for the delete. */
  readonly deletedAs?: Readonly<Record<string, Json>>;
  /** Members that others move at will once they are set: only an edit of the program changes them. Asked with an answer. */
  readonly floats?: (answer: Json) => readonly Pattern[];
}

/** Everything that is known of one property besides its type. */
export interface Facts {
  /** The property's documentation: meaning, unit, and the section of the specification. */
  readonly doc: string;
  /** What only who writes the property need know: its default, its bounds, what a removal does. No answer of a function says it. */
  readonly toWrite?: string;
  /** The name on the wire, where the service's naming rule does not give it; "." spreads a document over the body. */
  readonly wire?: string;
  /** Where the property travels. Default: the body. A link has a request of its own. */
  readonly location?: Location;
  /** Whose it is. Default: managed. */
  readonly role?: Role;
  /** Fixed after creation, though not part of the id: a change replaces, deleting first where the place stays the same. */
  readonly immutable?: boolean | "unless emptied";
  readonly secret?: boolean;
  /** Never answered by the service; sent when it changed, with every write, or with a create only. */
  readonly writeOnly?: WriteOnlySending;
  /** An output that only the answers to our own writes tell: no read shows it, and nobody else's write moves it. */
  readonly inReceipt?: boolean;
  /** An output that states of earlier versions lack: a refresh that finds nothing else leaves it so, and is quiet. */
  readonly isLater?: boolean;
  /** The service resets it when an update omits it, so every update carries it. */
  readonly resetsWhenOmitted?: boolean;
  /** The service asks for it in every write, updates that only merge included. */
  readonly everyWrite?: boolean;
  /** Other properties without which the service does not take it: where one of them changed, all of them are sent. */
  readonly sentWith?: readonly string[];
  /**
   * A list or map to which others may add: only what the program wrote is managed, unless this property of the program
   * is true, with which it asks for exactly what it writes.
   */
  readonly additive?: true | { readonly unless: string };
  /** A list whose order means nothing. */
  readonly unordered?: boolean;
  /** A list in a typed document whose elements are compared by the key that these members make, named as they travel. */
  readonly keyedBy?: readonly string[];
  /**
   * What leaving out a member of a typed document comes to, where that is not the empty value of its type: another
   * value, or none that is known, and then its empty value is a value like any other.
   */
  readonly leftOut?: { readonly is?: Json };
  /** Managed whole, additions by others included. */
  readonly document?: DocumentFacts;
  /** What the specification gives where nothing is given: restored when the program drops the property. */
  readonly default?: Json;
  /** The service's empty value, restored when the program drops the property and there is no default. */
  readonly empty?: Json;
  /** There is neither a default nor an empty value to restore: a value that the program drops stays, and the preview says so. */
  readonly notRestored?: boolean;
  /** Members that go along whenever any member of this object is sent. */
  readonly sentTogether?: readonly string[];
  /** How two spellings are one value. */
  readonly spelling?: Spelling;
  /** Another form in which a program may write the property named here, which is compared and recorded in its place. */
  readonly formOf?: string;
  /** The secrets that can be told in text which only the service can read. */
  readonly secretsIn?: (text: string) => readonly string[];
  /** A filter expression, which a program may hand over as text or as it comes from the SDK's builder of them. */
  readonly isFilter?: boolean;
  /** Members of a function's free answer that are indexes or hashes: text, however small they are. */
  readonly indexes?: readonly Pattern[];
  /** What each of the words means that a value may be, where it is one of few. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** What an object is called in generated code, where it stands in several places. */
  readonly typeName?: string;
  /** Members of an object of which it has one at least. */
  readonly oneOf?: readonly string[];
  /** What to write in its place, where the service would rather be without it. */
  readonly deprecated?: string;
}

const registry = z.registry<Facts>();

/** Puts facts on a schema: `autoApply: field(z.boolean().optional(), { doc: "…", default: false })`. */
export function field<S extends z.ZodType>(schema: S, facts: Facts): S {
  // A word's meanings stand on the words themselves, which are the field where it must be written.
  const meanings = registry.get(schema)?.meanings;
  registry.add(schema, { ...(meanings && { meanings }), ...facts });
  return schema;
}

/** The facts of a schema, where it carries any: members of a document carry none. */
export function knownFactsOf(schema: z.ZodType): Facts | undefined {
  return registry.get(schema);
}

/** The facts of a schema; a schema without them is a mistake in a definition. */
export function factsOf(schema: z.ZodType): Facts {
  const facts = knownFactsOf(schema);
  if (facts === undefined) throw new TypeError("a field of a definition carries no facts");
  return facts;
}
