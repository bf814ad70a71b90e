import type { Comparison } from "../diff/models";
import { isDeepEmpty } from "../diff/normalize";
import { missingIn } from "../diff/queries";
import { type Change, changesIn } from "../diff/threeWay";
import type { Recognized, Search } from "../language/creation";
import { fieldsOf } from "../language/fields";
import type { Address, KnownInputs, Observation, Values } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import { isAddress, isLink } from "../language/role";
import { managedLinks, observe } from "../requests/observe";
import { inputsFromObservation } from "../state/outputs";
import { pendingInputs, type Records } from "../state/records";
import { valueAt } from "../value/path";
import { NO_INPUTS, withMetadata } from "../value/programInputs";
import { comparisonOf, remoteChanges } from "./planned";
import { recordsAsFound } from "./write/result";

/** The object of this program's inputs, if it exists. */
export async function find(
  context: ObjectContext,
  address: Address,
  inputs: KnownInputs,
): Promise<Observation | undefined> {
  const { definition } = context;
  const search = searchOf(definition);
  return search
    ? search.find(context, address, inputs)
    : observe(context, address, managedLinks(definition, {}, inputs));
}

/** True if the object of these inputs can be found. Otherwise a create whose request was lost is never sent again. */
export function canFind(definition: Definition, inputs: KnownInputs): boolean {
  return searchOf(definition)?.canFind(inputs) ?? true;
}

function searchOf({ life }: Definition): Search | undefined {
  const { existing } = life.creation;
  return existing?.by === "a look" ? existing.search : undefined;
}

/** An object that its definition recognizes as the one that these inputs created, with the complete address. */
export function matchCreated(
  { recognize }: Recognized,
  found: Observation,
  inputs: KnownInputs,
): Observation | undefined {
  const parts = recognize(found.body, inputs);
  return parts && { ...found, address: { ...found.address, ...parts } };
}

/** The records of an object whose create had an unknown outcome, if it has exactly the values that the create wrote. */
export function recordsOfOwnCreate(
  context: ObjectContext,
  records: Records,
  found: Observation,
): Records | undefined {
  const { definition } = context;
  const attempted = pendingInputs(records) ?? NO_INPUTS;
  if (missingIn(definition, attempted, found).length > 0) return undefined;
  // Someone may have created the object with more values, or added them since.
  if (extraValues(context, found, attempted).length > 0) return undefined;
  const { ours } = definition.life.creation;
  const made = ours?.recognize ? matchCreated(ours, found, attempted) : found;
  return made && recordsAsFound(context, made, attempted, attempted);
}

/**
 * True if an object that no longer exists had ended when it was last read (such as a batch job), and the program does not
 * want it again. Its service removes such an object some time after its end.
 */
export function isCollected({ definition }: ObjectContext, { ended, lastApplied }: Records): boolean {
  return ended === true && definition.life.reads.ends?.isMadeAgain(lastApplied) === false;
}

/**
 * True if an object is identical to the program's: no value is missing, and none is added. An object with values that its
 * service never shows is never identical.
 */
export function isIdentical(context: ObjectContext, found: Observation, inputs: KnownInputs): boolean {
  const { definition } = context;
  const isKnown = neverShown(definition, inputs).length === 0;
  const isComplete = missingIn(definition, inputs, found).length === 0;
  return isKnown && isComplete && extraValues(context, found, inputs).length === 0;
}

/** The values in the program's documents that the program does not write. */
export function extraInDocuments(context: ObjectContext, found: Observation, inputs: KnownInputs): Change[] {
  return extraValues(context, found, inputs).filter(
    ({ field, path }) => field.facts.document !== undefined && path.length > 1,
  );
}

/** The values of an object that the program does not write, and that an import would add to a program. */
function extraValues(context: ObjectContext, found: Observation, inputs: KnownInputs): Change[] {
  const { definition } = context;
  const records = recordsAsFound(context, found, importedProgram(context, found, inputs), inputs);
  // Both programs are compared in canonical form.
  const { forms: _, ...comparison } = comparisonOf(definition, records, inputs);
  return remoteChanges(changesIn(definition, comparison)).filter(
    (change) => isLink(change.field.facts) || isExtra(change, comparison.desired),
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
