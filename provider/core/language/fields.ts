import { z } from "zod";
import { MOST_SEGMENTS, tooDeepIn, tooDeepInText } from "../value/depth";
import { memoByObject } from "../value/memo";
import { formatPath, type Path, valueAt } from "../value/path";
import { DEEPEST } from "../value/scan";
import type { Inputs, Value } from "../value/unknown";
import { innerSchema, schemaFactsOf, wireName } from "./documentFacts";
import { type Facts, factsOf } from "./facts";
import type { AddressParts, Place } from "./place";
import type { Problem, Rule } from "./rules";
import type { Service } from "./service";
import type { ServiceText } from "./serviceText";

/** The parts of an address, which may be unknown or unset. */
export type PartlyKnown = Readonly<Record<string, Value | undefined>>;

/**
 * The references between objects of one service, so that a preview can warn before it deletes an object that others name.
 * Strings identify the objects: equal strings mean the same object.
 */
export interface References {
  /** The objects that these inputs name. */
  from(inputs: Inputs, address: PartlyKnown): readonly string[];
  /** The strings that others use to name an object of this address. */
  to(address: PartlyKnown): readonly string[];
}

/**
 * The program inputs that are nested too deep, as a value or as JSON text. The check does not recurse, so it can run before
 * any other.
 */
export function depthProblems(inputs: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(inputs).flatMap(([name, value]) => {
    const path = typeof value === "string" ? tooDeepInText(value, DEEPEST) : tooDeepIn(value, DEEPEST);
    if (path === undefined) return [];
    const begins = `${formatPath([name, ...path.slice(0, MOST_SEGMENTS)])}…`;
    return [{ path: begins, reason: `is nested deeper than ${DEEPEST} levels` }];
  });
}

/** Anything with properties that have facts: a resource, or a function's arguments. */
export interface Specified {
  /** `service:Type`, or `service:function`. It never changes. */
  readonly token: `${string}:${string}`;
  readonly doc: string;
  /** The heading of its section in the specification. */
  readonly section: string;
  readonly service: Service;
  readonly fields: Readonly<Record<string, z.ZodType>>;
  readonly rules?: readonly Rule[];
  readonly where?: AddressParts;
  /** Text that only the service can parse. */
  readonly serviceText?: ServiceText;
}

/** The name of a resource in its product. */
export interface ProductNoun {
  /** The noun for messages and documentation, as it stands within a sentence: "RabbitMQ role". */
  readonly noun: string;
  /** The equivalent in Terraform, in Markdown; unset if Terraform's providers have none. */
  readonly terraform?: string;
  /** A page that exists in the product's documentation. */
  readonly docs?: string;
}

/** Facts about a resource of any kind, as its page in the specification describes it. */
export interface DefinitionBase extends Specified {
  /** Unset in tests only: messages then name the resource by its token. */
  readonly product?: ProductNoun;
  readonly where: Place;
  /** The resource's references to other objects of its service. */
  readonly references?: References;
  /** Notes that a preview prints about this change, in addition to the change itself. */
  notes?(change: PlannedChange): readonly string[];
}

/** The type of a resource in messages, by its product's noun: `Nomad job`. */
export function nounOf({ product, token }: Pick<DefinitionBase, "product" | "token">): string {
  return product?.noun ?? token;
}

/** A change that a preview reports. */
export interface PlannedChange {
  readonly step: "create" | "update" | "delete";
  readonly inputs: Inputs;
  readonly changed: readonly Path[];
  /**
   * The properties that cause a replacement: a new object replaces this one, which is then deleted. Unset if the object
   * stays.
   */
  readonly replaces?: readonly string[];
  /** The resource's outputs in the state, as last read; unset before a create. */
  readonly outputs?: Inputs;
}

export { innerSchema, wireName };

/** One property of a definition with its facts; an object's members are its children. */
export interface Field {
  readonly name: string;
  readonly wire: string;
  readonly schema: z.ZodType;
  readonly facts: Facts;
  readonly required: boolean;
  readonly isText: boolean;
  /** The members, if the property is an object with members of its own. */
  readonly children?: readonly Field[];
}

/** The properties of a definition, in the definition's order. */
export const fieldsOf = memoByObject(({ fields, service }: Specified) => listFields(fields, service.naming));

const fieldsByName = memoByObject(
  (definition: Specified): ReadonlyMap<string | number | undefined, Field> =>
    new Map(fieldsOf(definition).map((field) => [field.name, field])),
);

/** True if an object only inherits the value of a property: the flag of its own value is false. */
export function isInherited({ facts }: Field, object: Readonly<Record<string, Value | undefined>>): boolean {
  const { inheritedWhileFalse: flag } = facts;
  return flag !== undefined && valueAt(object, flag.split(".")) === false;
}

/** The property of a name, if there is one. */
export function fieldNamed(definition: Specified, name: string | number | undefined): Field | undefined {
  return fieldsByName(definition).get(name);
}

function listFields(shape: Readonly<Record<string, z.ZodType>>, naming: Service["naming"]): readonly Field[] {
  return Object.entries(shape).map(([name, schema]) => {
    const facts = withSchemaFacts(factsOf(schema), schema, naming);
    const inner = innerSchema(schema);
    const isStructure = inner instanceof z.ZodObject && facts.document === undefined;
    return {
      name,
      wire: facts.wire ?? wireName(name, naming),
      schema,
      facts,
      required: !schema.safeParse(undefined).success,
      isText: inner instanceof z.ZodString,
      ...(isStructure && { children: listFields(inner.shape as Record<string, z.ZodType>, naming) }),
    };
  });
}

/** Adds to the facts of a document those that its schema contains. */
function withSchemaFacts(facts: Facts, schema: z.ZodType, naming: Service["naming"]): Facts {
  const { document } = facts;
  return document ? { ...facts, document: { ...schemaFactsOf(schema, naming), ...document } } : facts;
}
