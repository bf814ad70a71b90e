import { addressParts } from "../../provider/core/language/address";
import { fieldNamed } from "../../provider/core/language/fields";
import { type AnyDefinition, isCreatedBeforeDelete } from "../../provider/core/language/resource";
import { isSteering, isWritable } from "../../provider/core/language/role";
import { isEmpty } from "../../provider/core/value/equality";
import { formatJson, type Json } from "../../provider/core/value/json";
import { secretMembersOf } from "./secrecy";
import type { Property } from "./shape";

/**
 * True if a change of this input replaces the object: for example, a different connection leads to a different server.
 * Nested properties do not count, even if their name matches.
 */
export function isReplacing(definition: AnyDefinition, { name, facts }: Property): boolean {
  if (!isWritable(facts) || fieldNamed(definition, name)?.facts !== facts) return false;
  return facts.immutable !== undefined || name === "connection" || addressParts(definition).includes(name);
}

/** The default value from the specification; undefined if it is empty. */
export function defaultOf({ facts }: Property): string | undefined {
  return facts.default === undefined || isEmpty(facts.default) ? undefined : formatJson(facts.default);
}

/** The consequences of a property for a program, one sentence each. */
export function consequencesOf(definition: AnyDefinition, property: Property): string[] {
  const { facts } = property;
  const members = secretMembersOf(property, definition);
  return [
    ...replacement(definition, property),
    ...(facts.secret ? ["Secret."] : []),
    ...(members.length === 0 ? [] : [`Secret where it holds ${listed(members)}.`]),
    ...writing(property),
    ...additions(property),
    ...(facts.document && !isSteering(facts) && !/managed whole/i.test(property.doc)
      ? ["Managed whole."]
      : []),
    ...(facts.unordered ? ["The order means nothing."] : []),
    ...(facts.spelling && facts.spelling.name !== "" && facts.formOf === undefined
      ? [`Two spellings of one value (${facts.spelling.name}) are no change.`]
      : []),
    ...dropping(property),
  ];
}

function replacement(definition: AnyDefinition, property: Property): string[] {
  if (!isReplacing(definition, property)) return [];
  return [
    `A change replaces the resource${property.facts.immutable && !isCreatedBeforeDelete(definition) ? ", deleting it first" : ""}.`,
  ];
}

function additions({ facts: { additive } }: Property): string[] {
  if (additive === undefined) return [];
  const unless = additive === true ? "" : `, unless \`${additive.unless}\` is true`;
  return [`Only what the program wrote is managed: what others add stays${unless}.`];
}

function writing({ facts }: Property): string[] {
  return [
    ...(facts.writeOnly
      ? ["It is not compared with what the service answers: what others change in it shows nowhere."]
      : []),
    ...(facts.writeOnly === "every-write" ? ["Sent with every write."] : []),
    ...(facts.sentWith ? [`Sent together with ${listed(facts.sentWith, "and")}, where either changed.`] : []),
    ...(facts.everyWrite ? ["Sent with every update, because the service asks for it."] : []),
    ...(facts.resetsWhenOmitted && facts.writeOnly !== "every-write"
      ? ["Sent with every update, because the service resets it when it is left out."]
      : []),
  ];
}

/** The effect of removing the property from the program. */
function dropping({ doc, facts, required }: Property): string[] {
  const isSaid = /dropped/.test(doc);
  if (required || isSaid || isSteering(facts) || !isWritable(facts) || facts.immutable) return [];
  if (facts.notRestored) return ["Dropped from the program, its value stays."];
  const restored: Json | undefined = facts.default ?? facts.empty;
  if (restored === undefined) return [];
  return [
    isEmpty(restored)
      ? "Dropped from the program, it is cleared."
      : `Dropped from the program, it goes back to \`${formatJson(restored)}\`.`,
  ];
}

/** Joins names: `a`, `b` or `c`. */
export function listed(names: readonly string[], word = "or"): string {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} ${word} ${quoted.at(-1)}`;
}
