import type { DocumentFacts } from "../language/facts";
import { isEmpty } from "../value/equality";
import { equalJson, isObject, type Json } from "../value/json";
import { isNamed, lookUp, type Path, type Pattern } from "../value/path";
import { saysNothing } from "./document";
import { countsWhenEmpty } from "./entries";

/**
 * A document as a person would write it. It omits members with the same meaning as their absence, the service's known
 * defaults, and blocks that are empty without them.
 * @param required the members that no program can leave out
 */
export function withoutOrdinary(
  value: Json,
  facts: DocumentFacts,
  required: readonly Pattern[] = [],
  path: Path = [],
): Json {
  if (Array.isArray(value))
    return value.map((element, index) => withoutOrdinary(element, facts, required, [...path, index]));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name];
    if (isNamed(required, at)) return [[name, withoutOrdinary(member, facts, required, at)] as const];
    if (member === null || saysNothing(member, at, facts)) return [];
    if (equalJson(member, lookUp(facts.serverDefaults, at) ?? null)) return [];
    const own = withoutOrdinary(member, facts, required, at);
    return isEmpty(own) && !countsWhenEmpty(facts, at) ? [] : [[name, own] as const];
  });
  return Object.fromEntries(members);
}
