import { type Change, changesIn } from "../../compare/changes";
import type { Comparison } from "../../compare/comparison";
import { isDeepEmpty } from "../../compare/entries";
import { missingPaths, movesElsewhere } from "../../compare/missing";
import type { Observation, Values } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import { isAddress, isLink } from "../../language/role";
import { inputsFromObservation } from "../../state/outputs";
import type { Records } from "../../state/records";
import { valueAt } from "../../value/path";
import { comparisonOf, remoteChanges } from "../planned";
import { neverShown, recordsAsFound } from "./found";

/**
 * Whether an object that was found is just what the program writes: it lacks nothing of it, and holds nothing beside it. Of
 * what has values that its service never shows nobody can know.
 */
export function isIdentical(context: ObjectContext, found: Observation, inputs: Values): boolean {
  const { definition } = context;
  const isKnown = neverShown(definition, inputs).length === 0;
  const isWhole = missingPaths(definition, inputs, found).length === 0;
  return isKnown && isWhole && extraValues(context, found, inputs).length === 0;
}

/** The program that an import of an object would write. */
function importedProgram(context: ObjectContext, found: Observation, inputs: Values): Values {
  const { definition } = context;
  const { imports, leavesOut } = definition.life.reads;
  const { seen } = recordsAsFound(context, found, {}, inputs);
  const whole = inputsFromObservation(definition, seen, found.address, { leavesOut });
  return imports?.(whole, found.address) ?? whole;
}

/**
 * The records of an object that is taken over. A document is managed as one unit: what it contains beside what the program
 * writes counts as written before, so that the update removes it.
 */
export function recordsToAdopt(context: ObjectContext, found: Observation, inputs: Values): Records {
  const beside = new Set(extraInDocuments(context, found, inputs).map(({ path: [name] }) => name));
  const program = importedProgram(context, found, inputs);
  const applied = Object.fromEntries(Object.entries(program).filter(([name]) => beside.has(name)));
  return recordsAsFound(context, found, applied, inputs);
}

/** What the documents that the program writes contain beside that. */
export function extraInDocuments(context: ObjectContext, found: Observation, inputs: Values): Change[] {
  return extraValues(context, found, inputs).filter(
    ({ field, path }) => field.facts.document !== undefined && path.length > 1,
  );
}

/** What an object holds beside what the program writes, and an import by its id would have a program write. */
export function extraValues(context: ObjectContext, found: Observation, inputs: Values): Change[] {
  const { definition } = context;
  const program = importedProgram(context, found, inputs);
  const records = recordsAsFound(context, found, program, inputs);
  // By the names of the models, in which both programs are read.
  const { forms: _, ...comparison } = comparisonOf(definition, records, inputs);
  return remoteChanges(changesIn(definition, comparison)).filter(
    (change) =>
      isLink(change.field.facts) ||
      (isBeside(change, comparison.desired) && !movesElsewhere(definition, change.field, found)(change.path)),
  );
}

/**
 * Whether it is a value that the program does not write. Where the object is, is where it was found; a document's zeros say
 * what leaving them out says.
 */
function isBeside({ field, path, from }: Change, desired: Comparison["desired"]): boolean {
  if (isAddress(field.facts) || !isDeepEmpty(field, valueAt(desired, path), path.slice(1))) return false;
  const saysNothing = field.facts.document !== undefined && (from === false || from === 0);
  return (from ?? null) !== null && !saysNothing;
}
