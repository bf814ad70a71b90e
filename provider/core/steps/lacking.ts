import type { Definition, Observation, Values } from "../define";
import { same } from "../equality";
import { fieldsOf } from "../fields";
import { isObject, type Json, ownMember } from "../json";
import { isEmpty, memberFor, modelOfBody, modelOfInputs } from "../model";
import { matches, type Path } from "../path";

/** Which of the program's values an object does not hold. */
export function lacking(definition: Definition, inputs: Values, current: Observation): Path[] {
  const seen = modelOfBody(definition, current.body, inputs);
  const desired = modelOfInputs(definition, inputs);
  return fieldsOf(definition).flatMap(({ name, facts }) => {
    if (facts.local || facts.writeOnly || facts.identity || facts.serverOwned || facts.place === "link")
      return [];
    const floating = facts.document?.floats?.(floatingIn(definition, current, name)) ?? [];
    // A write's inputs hold no unknown values.
    const missing =
      desired[name] === undefined ? [] : missingParts(desired[name] as Json, seen[name], [name]);
    const elsewhere = [...floating, ...(facts.document?.handedDown ?? [])];
    return missing.filter((path) => !elsewhere.some((pattern) => matches(pattern, path.slice(1), true)));
  });
}

function floatingIn(definition: Definition, current: Observation, name: string): Json {
  const field = fieldsOf(definition).find((candidate) => candidate.name === name);
  return (field && memberFor(definition, field, current.body)) ?? null;
}

function missingParts(wanted: Json | undefined, there: Json | undefined, path: Path): Path[] {
  if (isObject(wanted) && isObject(there)) {
    return Object.keys(wanted).flatMap((name) =>
      missingParts(ownMember(wanted, name), ownMember(there, name), [...path, name]),
    );
  }
  if (Array.isArray(wanted) && Array.isArray(there) && wanted.length === there.length) {
    return wanted.flatMap((element, index) => missingParts(element, there[index], [...path, index]));
  }
  // A service may drop a block of zero values.
  if (there === undefined && isObject(wanted) && isZero(wanted)) return [];
  return same(wanted, there) ? [] : [path];
}

function isZero(value: Json | undefined): boolean {
  if (isObject(value)) return Object.values(value).every(isZero);
  return value === false || value === 0 || isEmpty(value);
}
