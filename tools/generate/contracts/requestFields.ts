import { z } from "zod";
import { knownFactsOf } from "../../../provider/core/language/facts";
import { fieldsOf, innerSchema, wireName } from "../../../provider/core/language/fields";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import { isAddress, isSteering, isWritable } from "../../../provider/core/language/role";
import type { Service } from "../../../provider/core/language/service";
import { renameMembers } from "../../../provider/core/requests/dialect";
import { isObject, type Json } from "../../../provider/core/value/json";
import type { Sent } from "./contract";

/**
 * The fields that a definition sends to the real product, as paths of names on the wire. Elements of lists have the path of
 * their list. Values of maps that a user fills have the path of their map.
 */
export function requestFields(definition: AnyDefinition): Sent {
  const { service } = definition;
  const sent = fieldsOf(definition).filter(({ facts }) => isWritable(facts) && !isSteering(facts));
  const samples = sent.map(({ wire, schema }) => {
    const sample = sampleOf(schema, service.naming);
    // A document is the body itself.
    return wire === "." ? (isObject(sample) ? sample : {}) : { [wire]: sample };
  });
  const body: Json = Object.assign({}, ...samples);
  const { real } = service.dialects;
  const own = (value: Json) => (real === undefined ? value : renameMembers(value, real, "dialect"));
  const address = sent.filter(({ facts }) => isAddress(facts)).map(({ wire }) => [wire, null] as const);
  return {
    fields: new Set(pathsIn(own(body))),
    address: new Set(pathsIn(own(Object.fromEntries(address)))),
  };
}

/** A value with every member that a schema describes. */
function sampleOf(schema: z.ZodType, naming: Service["naming"]): Json {
  const inner = innerSchema(schema);
  // zod types inner schemas as its core type; these are complete schemas.
  const inside = (part: unknown) => sampleOf(part as z.ZodType, naming);
  if (inner instanceof z.ZodArray) return [inside(inner.element)];
  if (inner instanceof z.ZodUnion) {
    const samples = inner.options.map(inside);
    return samples.find(isObject) ?? samples.find(Array.isArray) ?? null;
  }
  if (!(inner instanceof z.ZodObject)) return null;
  return Object.fromEntries(
    Object.entries(inner.shape).map(([name, member]) => [
      knownFactsOf(member as z.ZodType)?.wire ?? wireName(name, naming),
      inside(member),
    ]),
  );
}

function pathsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(pathsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    name,
    ...pathsIn(member).map((path) => `${name}.${path}`),
  ]);
}
