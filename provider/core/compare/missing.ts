import type { DocumentFacts } from "../language/facts";
import { fieldsOf } from "../language/fields";
import type { Observation, Values } from "../language/object";
import type { Definition } from "../language/resource";
import { isEmpty } from "../value/empty";
import { same } from "../value/equality";
import { isObject, type Json, ownMember } from "../value/json";
import { isNamed, matches, type Path } from "../value/path";
import { memberFor, modelOfBody, modelOfInputs } from "./model";

/** Which of the program's values an object does not hold. */
export function lacking(definition: Definition, inputs: Values, current: Observation): Path[] {
  const seen = modelOfBody(definition, current.body, inputs);
  const desired = modelOfInputs(definition, inputs);
  return fieldsOf(definition).flatMap(({ name, facts }) => {
    if (facts.local || facts.writeOnly || facts.identity || facts.serverOwned || facts.place === "link")
      return [];
    const floating = facts.document?.floats?.(floatingIn(definition, current, name)) ?? [];
    const missing =
      desired[name] === undefined ? [] : missingParts(desired[name], seen[name], [name], facts.document);
    const elsewhere = [...floating, ...(facts.document?.handedDown ?? [])];
    return missing.filter((path) => !elsewhere.some((pattern) => matches(pattern, path.slice(1), true)));
  });
}

function floatingIn(definition: Definition, current: Observation, name: string): Json {
  const field = fieldsOf(definition).find((candidate) => candidate.name === name);
  return (field && memberFor(definition, field, current.body)) ?? null;
}

function missingParts(
  wanted: Json | undefined,
  there: Json | undefined,
  path: Path,
  facts: DocumentFacts | undefined,
): Path[] {
  if (isObject(wanted) && isObject(there)) {
    return Object.keys(wanted).flatMap((name) =>
      missingParts(ownMember(wanted, name), ownMember(there, name), [...path, name], facts),
    );
  }
  if (Array.isArray(wanted) && Array.isArray(there) && wanted.length === there.length) {
    return wanted.flatMap((element, index) => missingParts(element, there[index], [...path, index], facts));
  }
  const inside = path.slice(1);
  if (there === undefined && isObject(wanted) && isNamed(facts?.blocks, inside))
    return isNamed(facts?.dropped, inside) && isZero(wanted) ? [] : [path];
  return same(wanted, there) ? [] : [path];
}

function isZero(value: Json | undefined): boolean {
  if (isObject(value)) return Object.values(value).every(isZero);
  return value === false || value === 0 || isEmpty(value);
}
