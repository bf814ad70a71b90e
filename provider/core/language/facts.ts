import { z } from "zod";
import type { Json } from "../value/json";
import type { Pattern } from "../value/path";
import type { Spelling } from "../value/spelling";
import type { Location, Role, WriteOnlySending } from "./role";

/** The structure of a document, if the definition knows more than "free JSON". Patterns name wire members. */
export interface DocumentFacts {
  /** Lists to compare element by element: the list's pattern, and the members that form an element's key. */
  readonly keyedBy?: Readonly<Record<Pattern, readonly string[]>>;
  /**
   * The service adds nothing to the document: an update removes every value that the program does not write, even an
   * original one.
   */
  readonly exact?: boolean;
  /** Members whose presence is significant even if they are empty. Any other empty map or list means nothing. */
  readonly blocks?: readonly Pattern[];
  /**
   * Values that count although they are empty: entries of maps with user-defined keys, and lists whose absence means something
   * else. Default: derived from the property's schema.
   */
  readonly entries?: readonly Pattern[];
  /** Entries of maps whose values are user-defined too: everything inside such an entry counts, at any depth. */
  readonly freeEntries?: readonly Pattern[];
  /** Members that every program with this document must write, by the property's schema. */
  readonly required?: readonly Pattern[];
  /** Members whose empty value (an empty string, 0, false) means the same as leaving them out. */
  readonly empties?: readonly Pattern[];
  /** Members with another value that means the same as leaving them out: that value, by the member's pattern. */
  readonly leftOut?: Readonly<Record<Pattern, Json>>;
  /** Lists whose order is insignificant. */
  readonly unordered?: readonly Pattern[];
  /** Members whose value has more than one spelling. */
  readonly spellings?: Readonly<Record<Pattern, Spelling>>;
  /** Members that the service owns: neither managed nor compared. */
  readonly serverOwned?: readonly Pattern[];
  /** Members that contain secrets, in requests and responses. */
  readonly secret?: readonly Pattern[];
  /** Members that others own, if these inputs ask for it: the program does not manage them at all. */
  readonly othersOwned?: (inputs: Readonly<Record<string, Json>>) => readonly Pattern[];
  /**
   * Defaults that the service is known to add when a member is left out. Quarterdeck never compares or sends them. They only
   * explain a response, so that no further request has to prove that the service added a value.
   */
  readonly serverDefaults?: Readonly<Record<Pattern, Json>>;
  /** Members that the service fills from the object's own address: the address part, by the member's pattern. */
  readonly inherited?: Readonly<Record<Pattern, string>>;
  /** Members that the service accepts but does not store there: it copies them to nested objects. */
  readonly handedDown?: readonly Pattern[];
  /** Blocks that the service drops if they contain only zero values. */
  readonly dropped?: readonly Pattern[];
  /** Values that a program implies by leaving members out: managed as if the program wrote them. */
  readonly implied?: Readonly<Record<string, Json>>;
  /** Members that imply another member's value when they are left out: the other member's name, by the member's name. */
  readonly impliedBy?: Readonly<Record<string, string>>;
  /** Values that a delete sets first. If someone else has already set them, the delete reports no conflict. */
  readonly deletedAs?: Readonly<Record<string, Json>>;
  /** Members that others change freely once they are set: only an edit of the program changes them. Takes a response. */
  readonly floats?: (answer: Json) => readonly Pattern[];
}

/** Everything known about one property besides its type. */
export interface Facts {
  /** The property's documentation: meaning, unit, and section of the specification. */
  readonly doc: string;
  /** Documentation for writers only: the default, the bounds, the effect of a removal. Function results leave it out. */
  readonly toWrite?: string;
  /** The name on the wire, if the service's naming rule does not produce it. "." spreads a document over the body. */
  readonly wire?: string;
  /** The part of the request that carries the property. Default: the body. A link has its own request. */
  readonly location?: Location;
  /** The property's owner and purpose. Default: managed. */
  readonly role?: Role;
  /**
   * Fixed after creation, although not part of the ID. A change replaces the object, and deletes the old one first if both
   * have the same address. `while` names a property: the value is fixed only while the object has true there. `once set`: the value is fixed
   * unless the object has no value.
   */
  readonly immutable?: boolean | "unless emptied" | "once set" | { readonly while: string };
  readonly secret?: boolean;
  /** Never returned by the service. Sent after a change, with every write, or only with a create. */
  readonly writeOnly?: WriteOnlySending;
  /**
   * An output that only the responses to our own writes contain: reads do not return it, and other users' writes do not
   * change it.
   */
  readonly inReceipt?: boolean;
  /**
   * An output missing from states of earlier versions. A refresh that finds nothing else leaves it missing and shows no
   * changes.
   */
  readonly isLater?: boolean;
  /** The service resets it if an update omits it, so every update sends it. */
  readonly resetsWhenOmitted?: boolean;
  /** The service requires it in every write, including updates that merge. */
  readonly everyWrite?: boolean;
  /** Other properties that the service requires in the same write: if one of them changes, this property is sent too. */
  readonly sentWith?: readonly string[];
  /**
   * The member that is false while the object only inherits this value. A program that adds the property then writes it, even
   * if the value is equal, so that it stays when the inherited one changes.
   */
  readonly inheritedWhileFalse?: Pattern;
  /**
   * A list or map to which others may add: Quarterdeck manages only the program's own elements. If the program sets the
   * property named by `unless` to true, it asks for exactly the elements it writes.
   */
  readonly additive?: true | { readonly unless: string };
  /** A list whose order is insignificant. */
  readonly unordered?: boolean;
  /**
   * The property with the path of a local file whose SHA-256 this property contains. If the program does not write it, a check
   * computes it, so that a changed file is a change of this property.
   */
  readonly digestOf?: string;
  /** Computes the digest of a path that is not a file. It throws an UnreadableFile if it cannot. */
  readonly digestBy?: (path: string) => string;
  /** A list in a typed document. Its elements are compared by the key that these members form, given by their wire names. */
  readonly keyedBy?: readonly string[];
  /**
   * The meaning of leaving out a member of a typed document, if that is not its type's empty value: the value `is`, or no
   * known value. If no value is known, the empty value is a value like any other.
   */
  readonly leftOut?: { readonly is?: Json };
  /** A document managed as one unit: updates remove additions by others. */
  readonly document?: DocumentFacts;
  /** The default from the specification, restored when the program drops the property. */
  readonly default?: Json;
  /** The service's empty value, restored when the program drops the property and it has no default. */
  readonly empty?: Json;
  /**
   * The property has neither a default nor an empty value to restore. A value that the program drops stays, and the preview
   * reports it.
   */
  readonly notRestored?: boolean;
  /** Members to send along whenever any member of this object is sent. */
  readonly sentTogether?: readonly string[];
  /** The spellings of one value, and their conversion. */
  readonly spelling?: Spelling;
  /** The property that this one is another form of: Quarterdeck compares and records the value under that property's name. */
  readonly formOf?: string;
  /** Finds the recognizable secrets in text that only the service can parse. */
  readonly secretsIn?: (text: string) => readonly string[];
  /** A filter expression: the program passes a string or the result of the SDK's filter builder. */
  readonly isFilter?: boolean;
  /** Members of a function's free-form result that are indexes or hashes: returned as strings, however small they are. */
  readonly indexes?: readonly Pattern[];
  /** The meaning of each allowed value, if the property is an enum. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** The object's name in generated code, if several places use it. */
  readonly typeName?: string;
  /** An object must have at least one of these members. */
  readonly oneOf?: readonly string[];
  /** The replacement to write, if the service discourages this property. */
  readonly deprecated?: string;
}

const registry = z.registry<Facts>();

/** Attaches facts to a schema: `autoApply: field(z.boolean().optional(), { doc: "…", default: false })`. */
export function field<S extends z.ZodType>(schema: S, facts: Facts): S {
  // The meanings belong to the enum schema itself, which is also the field's schema if the field is required.
  const meanings = registry.get(schema)?.meanings;
  registry.add(schema, { ...(meanings && { meanings }), ...facts });
  return schema;
}

/** The facts of a schema; undefined if it has none, as members of a document may. */
export function knownFactsOf(schema: z.ZodType): Facts | undefined {
  return registry.get(schema);
}

/** The facts of a schema. A schema without facts is an error in the definition. */
export function factsOf(schema: z.ZodType): Facts {
  const facts = knownFactsOf(schema);
  if (facts === undefined) throw new TypeError("a field of a definition carries no facts");
  return facts;
}
