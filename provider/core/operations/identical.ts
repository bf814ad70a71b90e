import { type Change, changesIn } from "../compare/changes";
import type { Comparison } from "../compare/comparison";
import { isDeepEmpty } from "../compare/entries";
import { missingPaths, movesElsewhere } from "../compare/missing";
import { fieldsOf } from "../language/fields";
import type { KnownInputs, Observation, Values } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import { isAddress, isLink } from "../language/role";
import { inputsFromObservation } from "../state/outputs";
import { valueAt } from "../value/path";
import { NO_INPUTS, withMetadata } from "../value/programInputs";
import { comparisonOf, remoteChanges } from "./planned";
import { recordsAsFound } from "./write/result";

/**
 * True if an object is identical to the program's: no value is missing, and none is added. An object with values that its
 * service never shows is never identical.
 */
export function isIdentical(context: ObjectContext, found: Observation, inputs: KnownInputs): boolean {
  const { definition } = context;
  const isKnown = neverShown(definition, inputs).length === 0;
  const isComplete = missingPaths(definition, inputs, found).length === 0;
  return isKnown && isComplete && extraValues(context, found, inputs).length === 0;
}

/** The values in the program's documents that the program does not write. */
export function extraInDocuments(context: ObjectContext, found: Observation, inputs: KnownInputs): Change[] {
  return extraValues(context, found, inputs).filter(
    ({ field, path }) => field.facts.document !== undefined && path.length > 1,
  );
}

/** The values of an object that the program does not write, and that an import would add to a program. */
export function extraValues(context: ObjectContext, found: Observation, inputs: KnownInputs): Change[] {
  const { definition } = context;
  const records = recordsAsFound(context, found, importedProgram(context, found, inputs), inputs);
  // Both programs are compared in canonical form.
  const { forms: _, ...comparison } = comparisonOf(definition, records, inputs);
  return remoteChanges(changesIn(definition, comparison)).filter(
    (change) =>
      isLink(change.field.facts) ||
      (isExtra(change, comparison.desired) && !movesElsewhere(definition, change.field, found)(change.path)),
  );
}

/** True if the program does not write this value. A zero in a document has the same meaning as its absence. */
function isExtra({ field, path, from }: Change, desired: Comparison["desired"]): boolean {
  if (isAddress(field.facts) || !isDeepEmpty(field, valueAt(desired, path), path.slice(1))) return false;
  const isZero = field.facts.document !== undefined && (from === false || from === 0);
  return (from ?? null) !== null && !isZero;
}

/** The program that an import of an object would write. */
export function importedProgram(
  context: ObjectContext,
  found: Observation,
  inputs: KnownInputs,
): KnownInputs {
  const { definition } = context;
  const { imports, leavesOut } = definition.life.reads;
  const { observed } = recordsAsFound(context, found, NO_INPUTS, inputs);
  const program = inputsFromObservation(definition, observed, found.address, { leavesOut });
  return withMetadata(imports?.(program, found.address) ?? program, {});
}

/** The program's values that the service never shows, so that it is unknown whether an object holds them. */
export function neverShown(definition: Definition, inputs: Values): string[] {
  return fieldsOf(definition)
    .filter(
      ({ name, facts: { writeOnly } }) =>
        writeOnly && writeOnly !== "create-only" && inputs[name] !== undefined,
    )
    .map(({ name }) => name);
}
