import { z } from "zod";
import { MOST_SEGMENTS, tooDeepIn, tooDeepInText } from "../value/depth";
import { memoByObject } from "../value/memo";
import { formatPath, type Path } from "../value/path";
import { DEEPEST } from "../value/scan";
import type { Inputs, Value } from "../value/unknown";
import { entriesIn, unwrapped, wireName } from "./documentFacts";
import { type Facts, factsOf } from "./facts";
import type { Parts, Place } from "./place";
import type { Problem, Rule } from "./rules";
import type { Service } from "./service";
import type { ServiceText } from "./stepInput";

/** The parts of an address as far as they are known. */
export type PartlyKnown = Readonly<Record<string, Value | undefined>>;

/**
 * Which objects of one service name each other, so that a preview can tell of one that goes while others name it. Each is
 * known by texts that mean the same wherever they stand.
 */
export interface References {
  /** What these inputs name. */
  from(inputs: Inputs, address: PartlyKnown): readonly string[];
  /** By what others name an object of this address. */
  to(address: PartlyKnown): readonly string[];
}

/**
 * What of a program's inputs is nested too deep, as a value or as JSON text. Nothing here recurses, so that it can be
 * asked before anything else.
 */
export function depthProblems(inputs: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(inputs).flatMap(([name, value]) => {
    const path = typeof value === "string" ? tooDeepInText(value, DEEPEST) : tooDeepIn(value, DEEPEST);
    if (path === undefined) return [];
    const begins = `${formatPath([name, ...path.slice(0, MOST_SEGMENTS)])}…`;
    return [{ path: begins, reason: `is nested deeper than ${DEEPEST} levels` }];
  });
}

/** Whatever has properties with facts: a resource, or a function's arguments. */
export interface Specified {
  /** `service:Type`, or `service:function`, for ever. */
  readonly token: `${string}:${string}`;
  readonly doc: string;
  /** The heading of the specification that describes it. */
  readonly section: string;
  readonly service: Service;
  readonly fields: Readonly<Record<string, z.ZodType>>;
  readonly rules?: readonly Rule[];
  readonly where?: Parts;
  /** Text in which only the service can read what a program means. */
  readonly serviceText?: ServiceText;
}

/** What every kind of resource says of itself, as its page in the specification describes it. */
export interface DefinitionBase extends Specified {
  readonly where: Place;
  /** Which objects of its service it names, and by what they name it. */
  readonly references?: References;
  /** What a preview says about this change, beside the change itself. */
  notes?(change: PlannedChange): readonly string[];
}

/** What a preview is told about. */
export interface PlannedChange {
  readonly step: "create" | "update" | "delete";
  readonly inputs: Inputs;
  readonly changed: readonly Path[];
  /** What of it makes another object take the place of this one, which is then deleted; nothing where it stays. */
  readonly replaces?: readonly string[];
  /** What the state shows of the resource, as last read; nothing before a create. */
  readonly outputs?: Inputs;
}

export { unwrapped, wireName };

/** One property of a definition with its facts; an object's members are its children. */
export interface Field {
  readonly name: string;
  readonly wire: string;
  readonly schema: z.ZodType;
  readonly facts: Facts;
  readonly required: boolean;
  /** The members, where the property is an object with members of its own. */
  readonly children?: readonly Field[];
}

/** The properties of a definition, in the order in which it lists them. */
export const fieldsOf = memoByObject(({ fields, service }: Specified) => listFields(fields, service.naming));

const fieldsByName = memoByObject(
  (definition: Specified): ReadonlyMap<string | number | undefined, Field> =>
    new Map(fieldsOf(definition).map((field) => [field.name, field])),
);

/** The property of a name, if there is one. */
export function fieldNamed(definition: Specified, name: string | number | undefined): Field | undefined {
  return fieldsByName(definition).get(name);
}

function listFields(shape: Readonly<Record<string, z.ZodType>>, naming: Service["naming"]): readonly Field[] {
  return Object.entries(shape).map(([name, schema]) => {
    const facts = withEntries(factsOf(schema), schema, naming);
    const inner = unwrapped(schema);
    const isStructure = inner instanceof z.ZodObject && facts.document === undefined;
    return {
      name,
      wire: facts.wire ?? wireName(name, naming),
      schema,
      facts,
      required: !schema.safeParse(undefined).success,
      ...(isStructure && { children: listFields(inner.shape as Record<string, z.ZodType>, naming) }),
    };
  });
}

/** The facts of a document name the entries of its maps. */
function withEntries(facts: Facts, schema: z.ZodType, naming: Service["naming"]): Facts {
  const { document } = facts;
  return document ? { ...facts, document: { ...entriesIn(schema, naming), ...document } } : facts;
}
