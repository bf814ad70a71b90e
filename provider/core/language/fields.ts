import { z } from "zod";
import { memoByObject } from "../value/memo";
import { type Facts, factsOf } from "./facts";
import type { Service } from "./service";
import type { Specified } from "./specified";

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
    const facts = factsOf(schema);
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

/** The schema without the wrappers that only say whether it may be missing. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    // zod types the inner schema as its core type; these wrappers hold full schemas.
    return unwrapped(schema.unwrap() as z.ZodType);
  }
  return schema;
}

/** `autoApply` on the wire, by the service's rule: auto-apply, AutoApply or auto_apply. */
export function wireName(name: string, naming: Service["naming"]): string {
  if (naming === "pascal") return name.charAt(0).toUpperCase() + name.slice(1);
  const separator = naming === "kebab" ? "-" : "_";
  return name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}
