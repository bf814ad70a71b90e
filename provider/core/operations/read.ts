import { modelOfBody } from "../diff/models";
import { ServiceError } from "../http/errors";
import { ActionableError, manualCheck } from "../http/remedies";
import { addressOf, idOf, nameOf } from "../language/address";
import { fieldNamed, nounOf } from "../language/fields";
import { idForms, type ParsedId } from "../language/id";
import type { Address, Observation, Values } from "../language/object";
import { storedPart, whyNoPart } from "../language/place";
import { absenceProofOf } from "../language/reads";
import type { Definition, ObjectContext } from "../language/resource";
import type { StepInput } from "../language/stepInput";
import { objectContextOf } from "../requests/context";
import { observe } from "../requests/observe";
import { inputsFromObservation, outputsOf } from "../state/outputs";
import { type Records, recordsOf } from "../state/records";
import { withMetadata } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import { refresh } from "./refresh";
import type { ReadResult } from "./steps";

/**
 * Reads a resource. If the state's outputs are given, refreshes it: only `observed` changes, and the inputs contain other users'
 * changes. For an ID alone, returns the inputs of a program that would show no changes.
 * @throws if an ID alone identifies no object, and for every response that proves neither presence nor absence.
 */
export async function read(
  definition: Definition,
  input: StepInput,
  id: string,
  outputs?: Inputs,
): Promise<ReadResult | undefined> {
  const records = recordsOf(definition, outputs);
  if (records === undefined || outputs === undefined) return readForImport(definition, input, id);
  const context = objectContextOf(definition, "read", input, records.lastApplied, outputs);
  return refresh({ context, id, records, outputs });
}

async function readForImport(definition: Definition, input: StepInput, id: string): Promise<ReadResult> {
  const parsed = definition.where.id.parse(id);
  if (parsed === undefined) {
    const forms = idForms(definition.where.id).join(" or ");
    throw new ActionableError(
      `${nounOf(definition)}: ${JSON.stringify(id)} is not an ID; IDs have the form ${forms}`,
      CORRECT_THE_ID,
    );
  }
  for (const [name, part] of Object.entries(parsed.address)) {
    const why = part === undefined ? undefined : whyNoPart(definition.where, input.connection, name, part);
    if (why !== undefined)
      throw new ActionableError(
        `${nounOf(definition)}: ${JSON.stringify(id)} is not an ID: its ${name} ${why}`,
        CORRECT_THE_ID,
      );
  }
  const context = objectContextOf(definition, "read", input);
  const givenParts = Object.entries(parsed.address).flatMap(([name, part]) =>
    part === undefined ? [] : [[name, storedPart(definition.where, input.connection, name, part)] as const],
  );
  const address = { ...partsFromConnection(definition, input, parsed), ...Object.fromEntries(givenParts) };
  return readAt(context, address);
}

/** The parts that a short ID omits. The connection supplies them, as for a program that does not write them. */
function partsFromConnection({ where }: Definition, { connection }: StepInput, { omitted }: ParsedId) {
  const entries = omitted.map((name) => [name, where.defaults?.[name]?.valueFor(connection)] as const);
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
}

/**
 * Reads the object at an address, with all of its links.
 * @throws MissingObject if the server proves that the object does not exist.
 */
export async function readAt(context: ObjectContext, address: Address): Promise<ReadResult> {
  const { definition } = context;
  const { reads, links } = definition.life;
  const allLinks = new Map(links.map((link) => [link.field, undefined]));
  let whole = (await reads.locate?.(context, address)) ?? address;
  const current = await observe(context, whole, allLinks).catch((error: unknown) => {
    const next = error instanceof ServiceError ? reads.alternativeAddress?.(error, whole) : undefined;
    if (next === undefined) throw error;
    whole = next;
    return observe(context, whole, allLinks);
  });
  if (current !== undefined) return importResult(context, current, whole);
  const name = idOf(definition, context.connection, whole, whole) || Object.values(whole).join("/");
  const { evidence } = absenceProofOf(definition.service, reads);
  throw new MissingObject(`${nameOf(definition, name)} does not exist: ${evidence}`, CORRECT_THE_ID);
}

/** The server proves that the object to import does not exist. */
export class MissingObject extends ActionableError {}

/** No further text, because the error message already explains the problem with the ID. */
const CORRECT_THE_ID = [manualCheck("")];

function importResult(context: ObjectContext, current: Observation, asked: Address): ReadResult {
  const { definition, connection } = context;
  const seen = modelOfBody(definition, current.body);
  const { name } = connection;
  const { importedInputs, withoutImportedDefaults } = definition.life.reads;
  const readAs = (whole: Values) => {
    const own = importedInputs?.(whole, current.address) ?? whole;
    const inputs = withMetadata(name === undefined ? own : { ...own, connection: name }, {});
    const records: Records = {
      address: current.address,
      lastApplied: inputs,
      baseline: seen,
      observed: seen,
      revision: current.revision,
    };
    return { inputs, outputs: outputsOf(definition, inputs, records, current.body) };
  };
  const whole = inputsFromObservation(definition, seen, current.address);
  const usual = inputsFromObservation(definition, seen, current.address, { withoutImportedDefaults });
  return {
    id: idOf(definition, connection, current.address, asked),
    ...readAs(whole),
    imported: readAs(withoutImpliedParts(context, usual, current.address, asked)),
    body: current.body,
  };
}

/** Inputs without the address parts that have the same value if the program omits them. */
function withoutImpliedParts(
  { definition, connection }: ObjectContext,
  inputs: Values,
  address: Address,
  asked: Address,
): Values {
  const { unset } = definition.where.id;
  return Object.keys(inputs)
    .filter((name) => address[name] !== undefined && fieldNamed(definition, name)?.required === false)
    .reduce((rest: Values, name) => {
      const { [name]: _, ...others } = rest;
      // A part that neither the connection nor the ID gives was chosen by the server, whose response to this read contains it.
      const implied =
        addressOf(definition, connection, others)[name] ??
        unset[name] ??
        (asked[name] === undefined ? address[name] : undefined);
      return implied === address[name] ? others : rest;
    }, inputs);
}
