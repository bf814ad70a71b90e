import { addressParts } from "../../provider/core/language/address";
import { fieldNamed } from "../../provider/core/language/fields";
import { type AnyDefinition, isCreatedBeforeDelete } from "../../provider/core/language/resource";
import { isSteering, isWritable } from "../../provider/core/language/role";
import { formatJson, type Json } from "../../provider/core/value/json";
import { isEmpty } from "../../provider/core/value/scalar";
import { secretMembersOf } from "./secrecy";
import type { Property } from "./shape";

/**
 * True if a change of this input replaces the object: for example, a different connection leads to a different server.
 * Nested properties do not count, even if their name matches.
 */
export function isReplacing(definition: AnyDefinition, { name, facts }: Property): boolean {
  if (!isWritable(facts) || fieldNamed(definition, name)?.facts !== facts) return false;
  return isAlwaysFixed(facts) || name === "connection" || addressParts(definition).includes(name);
}

/** True if a value never changes after the creation, rather than only while another property is true. */
function isAlwaysFixed({ immutable }: Property["facts"]): boolean {
  return immutable !== undefined && immutable !== false && typeof immutable !== "object";
}

/** The default value from the specification; undefined if it is empty. */
export function defaultOf({ facts }: Property): string | undefined {
  return facts.default === undefined || isEmpty(facts.default) ? undefined : formatJson(facts.default);
}

/** The effect of changing a property: no replacement, or a replacement with its order. */
export function replacementOf(
  definition: AnyDefinition,
  property: Property,
): "none" | "create first" | "delete first" {
  if (!isReplacing(definition, property)) return "none";
  return property.facts.immutable && !isCreatedBeforeDelete(definition) ? "delete first" : "create first";
}

/**
 * The effect of removing a property from the program: its value stays, or it is set to a value. Undefined if removing it has
 * no effect of its own, or if the property's own documentation states the effect.
 */
export function removalOf({ doc, facts, required }: Property): "stays" | { readonly to: Json } | undefined {
  const isDocumented = /dropped|\b[Ii]f (?:it is )?removed\b|\b[Rr]emoving it\b/.test(doc);
  if (required || isDocumented || isSteering(facts) || !isWritable(facts) || isAlwaysFixed(facts))
    return undefined;
  if (facts.notRestored) return "stays";
  const to = facts.default ?? facts.empty;
  return to === undefined ? undefined : { to };
}

/** The consequences of a property for a program, one sentence each. */
export function consequencesOf(definition: AnyDefinition, property: Property): string[] {
  return [
    ...REPLACEMENT[replacementOf(definition, property)],
    ...notesOf(definition, property),
    ...removalSentence(property),
  ];
}

const REPLACEMENT = {
  none: [],
  "create first": ["Changing it replaces the resource."],
  "delete first": ["Changing it replaces the resource; the old object is deleted first."],
} as const;

function removalSentence(property: Property): string[] {
  const removal = removalOf(property);
  if (removal === undefined) return [];
  if (removal === "stays") return ["If removed from the program, the value stays unchanged."];
  return [
    isEmpty(removal.to)
      ? "If removed from the program, it is cleared."
      : `If removed from the program, it is reset to \`${formatJson(removal.to)}\`.`,
  ];
}

/** The consequences that no column of a table shows, one sentence each. */
export function notesOf(definition: AnyDefinition, property: Property): string[] {
  const { facts } = property;
  const members = secretMembersOf(property, definition);
  return [
    ...(facts.secret ? ["Secret."] : []),
    ...(members.length === 0 ? [] : [`Secret if it contains ${listed(members)}.`]),
    ...writing(property),
    ...additions(property),
    ...(facts.document && !isSteering(facts) && !/managed (?:whole|as one unit)/i.test(property.doc)
      ? ["Managed as one unit: fields added by others are removed."]
      : []),
    ...(facts.unordered ? ["The order is not significant."] : []),
    ...spellings(property),
  ];
}

function additions({ facts: { additive } }: Property): string[] {
  if (additive === undefined) return [];
  const unless = additive === true ? "" : `, unless \`${additive.unless}\` is true`;
  return [`Additive: entries added by others are kept${unless}.`];
}

function writing({ facts }: Property): string[] {
  const { immutable } = facts;
  return [
    ...(typeof immutable === "object"
      ? [
          `While the object's \`${immutable.while}\` is true, changing it replaces the resource; the old object is deleted first.`,
        ]
      : []),
    ...(facts.writeOnly ? ["Write-only: the server does not return it, so drift is not detected."] : []),
    ...(facts.writeOnly === "every-write" ? ["Sent with every write."] : []),
    ...(facts.sentWith ? [`Sent together with ${listed(facts.sentWith, "and")} if either changes.`] : []),
    ...(facts.everyWrite ? ["Sent with every update, because the server requires it."] : []),
    ...(facts.resetsWhenOmitted && facts.writeOnly !== "every-write"
      ? ["Sent with every update, because the server resets it if it is omitted."]
      : []),
  ];
}

/** The values that count as equal. */
function spellings({ facts: { spelling, formOf } }: Property): string[] {
  return spelling === undefined || spelling.doc === "" || formOf !== undefined ? [] : [spelling.doc];
}

/** Joins names: `a`, `b` or `c`. */
export function listed(names: readonly string[], word = "or"): string {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} ${word} ${quoted.at(-1)}`;
}
