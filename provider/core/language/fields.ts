import { z } from "zod";
import { memoByObject } from "../value/memo";
import { entriesIn } from "./documentFacts";
import { type Facts, factsOf } from "./facts";
import { unwrapped, wireName } from "./schemas";
import type { Service } from "./service";
import type { Specified } from "./specified";

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
