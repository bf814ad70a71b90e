import fc from "fast-check";
import { fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import type { Subject } from "../steps/subject";

/** The number of sampled programs. */
const CANDIDATES = 24;
const SEED = 7;

/** The same sample on every run. */
export function sampled<T>(values: fc.Arbitrary<T>): T[] {
  return fc.sample(values, { numRuns: CANDIDATES, seed: SEED });
}

export function programsOf(subject: Subject): Values[] {
  return sampled(subject.programs);
}

/** A different program; the same one if there is none. */
export function anotherThan(first: Values, programs: readonly Values[]): Values {
  return programs.find((program) => JSON.stringify(program) !== JSON.stringify(first)) ?? first;
}

/** Whether programs of this subject can cause different requests. */
export function hasSeveralWays({ definition, isVariant }: Subject): boolean {
  const { links } = definition.life;
  return (
    !isVariant && (links.length > 0 || fieldsOf(definition).some(({ facts }) => facts.formOf !== undefined))
  );
}
