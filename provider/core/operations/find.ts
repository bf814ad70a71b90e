import type { Comparison } from "../diff/models";
import { countsWhenEmpty, isDeepEmpty } from "../diff/normalize";
import { missingIn } from "../diff/queries";
import { type Change, changesIn, type Difference } from "../diff/threeWay";
import type { ServiceError } from "../http/errors";
import { addressOf, knownAddress } from "../language/address";
import type { CustomRecognition, Search } from "../language/creation";
import { fieldsOf } from "../language/fields";
import type { Address, KnownInputs, Observation, Values } from "../language/object";
import type { Definition, ObjectContext } from "../language/resource";
import { isAddress, isLink } from "../language/role";
import { managedLinks, observe, withLinks } from "../requests/observe";
import { comparisonOf, remoteChanges } from "../state/changes";
import { inputsFromObservation } from "../state/outputs";
import { pendingInputs, type Records } from "../state/records";
import { isObject, ownMember } from "../value/json";
import { valueAt } from "../value/path";
import { NO_INPUTS, selectInputs, withMetadata } from "../value/programInputs";
import { isEmpty } from "../value/scalar";
import { recordsAsFound } from "./write/result";

/** The address at which these inputs create an object. */
export async function addressToCreate(context: ObjectContext, inputs: KnownInputs): Promise<Address> {
  const { definition, connection } = context;
  const named = knownAddress(addressOf(definition, connection, inputs));
  return (await definition.life.reads.locate?.(context, named)) ?? named;
}

/** The object of this program's inputs, if it exists. */
export async function find(
  context: ObjectContext,
  address: Address,
  inputs: KnownInputs,
): Promise<Observation | undefined> {
  const { definition } = context;
  const search = searchOf(definition);
  const links = managedLinks(definition, {}, inputs);
  if (search === undefined) return observe(context, address, links);
  const found = await search.find(context, address, inputs);
  return found && withLinks(context, found, links, inputs);
}

/** True if the object of these inputs can be found. Otherwise a create whose request was lost is never sent again. */
export function canFind(definition: Definition, inputs: KnownInputs): boolean {
  return searchOf(definition)?.canFind(inputs) ?? true;
}

function searchOf({ life }: Definition): Search | undefined {
  return life.creation.existing?.search;
}

/** An object that its definition recognizes as the one that these inputs created, with the complete address. */
export function matchCreated(
  { recognize }: CustomRecognition,
  found: Observation,
  inputs: KnownInputs,
): Observation | undefined {
  const parts = recognize(found.body, inputs);
  return parts && { ...found, address: { ...found.address, ...parts } };
}

/**
 * The records of an object whose create had an unknown outcome, if it has exactly the values that the create wrote. Links with a
 * request of their own follow the create, so the next update writes those that the object does not have.
 */
export function recordsOfOwnCreate(
  context: ObjectContext,
  records: Records,
  found: Observation,
): Records | undefined {
  const { creation, links } = context.definition.life;
  const attempted = pendingInputs(records) ?? NO_INPUTS;
  const { missing, extra } = compareFound(context, found, attempted);
  // Someone may have created the object with more values, or added them since.
  const isUnwritten = ({ field, from }: Change) => isLink(field.facts) && isEmpty(from);
  if (missing.length > 0 || !extra.every(isUnwritten)) return undefined;
  const { recognition } = creation;
  const made = recognition?.recognize ? matchCreated(recognition, found, attempted) : found;
  if (made === undefined) return undefined;
  const own = recordsAsFound(context, made, attempted, attempted);
  const unwritten = links
    .filter(({ field, isCreatedWith }) => !isCreatedWith && isEmpty(own.observed[field]))
    .map(({ field }) => field);
  return { ...own, lastApplied: selectInputs(attempted, (name) => !unwritten.includes(name)) };
}

/**
 * True if an object that no longer exists had ended when it was last read (such as a batch job), and the program does not
 * want it again. Its service removes such an object some time after its end.
 */
export function isCollected({ definition }: ObjectContext, { ended, lastApplied }: Records): boolean {
  return ended === true && definition.life.reads.ends?.isRecreated(lastApplied) === false;
}

/** An object that a create found at its address. */
export interface ExistingObject {
  readonly kind: "exists";
  readonly found: Observation;
  /** Why it is unknown whether an earlier attempt of this create made the object. */
  readonly doubt?: ServiceError | undefined;
  /** True if the server rejected the create because of the object. */
  readonly isRefused?: true;
}

/** An object that was found, compared with the program. */
export interface FoundObject {
  readonly context: ObjectContext;
  readonly found: Observation;
  readonly inputs: KnownInputs;
  /** The program's values that the object does not contain. */
  readonly missing: readonly Difference[];
  /** The values that the program does not write, and that an import would add to a program. */
  readonly extra: readonly Change[];
  /** The entries in the program's maps that the program does not write. */
  readonly mapEntries: readonly Change[];
  /** The program that an import of the object would write. */
  readonly program: KnownInputs;
}

/** Compares an object that was found with the program. */
export function compareFound(context: ObjectContext, found: Observation, inputs: KnownInputs): FoundObject {
  const { definition } = context;
  const { importedInputs, withoutImportedDefaults } = definition.life.reads;
  const { observed } = recordsAsFound(context, found, NO_INPUTS, inputs);
  const plain = inputsFromObservation(definition, observed, found.address, { withoutImportedDefaults });
  const program = withMetadata(importedInputs?.(plain, found.address) ?? plain, {});
  const records = recordsAsFound(context, found, program, inputs);
  // Both programs are compared in canonical form.
  const { forms: _, ...comparison } = comparisonOf(definition, records, inputs);
  const { desired } = comparison;
  const changes = remoteChanges(changesIn(definition, comparison)).map(
    (change) => [change, addedEntries(change, desired)] as const,
  );
  return {
    context,
    found,
    inputs,
    missing: missingIn(definition, inputs, found),
    extra: changes
      .flatMap(([change, entries]) => entries ?? [change])
      .filter((change) => isLink(change.field.facts) || isExtra(change, desired)),
    mapEntries: changes.flatMap(([, entries]) => entries ?? []),
    program,
  };
}

/** The entries that a map has in addition to the program's, one change each; undefined for any other change. */
function addedEntries(change: Change, desired: Comparison["desired"]): Change[] | undefined {
  const { field, path, from } = change;
  const { facts } = field;
  const own = valueAt(desired, path);
  if (facts.document !== undefined || isLink(facts) || !isObject(from) || !isObject(own)) return undefined;
  return Object.entries(from)
    .filter(([key]) => ownMember(own, key) === undefined)
    .map(([key, value]) => ({ ...change, path: [...path, key], from: value, to: undefined }));
}

/**
 * True if the program does not write this value. A zero in a document has the same meaning as its absence, except under a
 * user-defined key.
 */
function isExtra({ field, path, from }: Change, desired: Comparison["desired"]): boolean {
  const { document } = field.facts;
  const inside = path.slice(1);
  if (isAddress(field.facts) || !isDeepEmpty(field, valueAt(desired, path), inside)) return false;
  const isZero = document && (from === false || from === 0) && !countsWhenEmpty(document, inside);
  return (from ?? null) !== null && !isZero;
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
