import { type Model, modelOfBody, plainModel } from "../../compare/model";
import { whyNoName } from "../../http/segment";
import { AdvisedError, checked } from "../../http/waysOn";
import { addressOf } from "../../language/address";
import type { ObjectContext } from "../../language/contexts";
import { fieldNamed } from "../../language/fields";
import type { ParsedId } from "../../language/id";
import type { Address, Observation, Values } from "../../language/object";
import { goneProofOf } from "../../language/reads";
import type { Definition } from "../../language/resource";
import type { StepInput } from "../../language/stepInput";
import { objectContextOf } from "../../requests/context";
import { managedLinks, observe } from "../../requests/observe";
import { driftTable } from "../../state/conflict";
import { driftedInputs, inputsFromObservation, outputsOf } from "../../state/outputs";
import { isPerhapsMade, type Records, recordsOf } from "../../state/records";
import { secrecyOf } from "../../state/redaction";
import { isHollow } from "../../value/empty";
import { equalJson, type Json } from "../../value/json";
import { type Inputs, known } from "../../value/unknown";
import { caughtUp, movementsSince } from "./conflicts";
import { asMade } from "./resume";

/** A resource as it is now; undefined where it is proven gone. */
export interface ReadBack {
  readonly id: string;
  readonly outputs: { [property: string]: Json };
  /** The inputs of a program that would be quiet; none where those of the state still are that. */
  readonly inputs?: { [property: string]: Json };
  /**
   * The same of an object that was only read, for who takes it over: the program that a person would write, without what
   * says no more than leaving it out.
   */
  readonly taken?: Pick<ReadBack, "outputs" | "inputs">;
  /** The service's own answer, for those who show more of it. */
  readonly body?: Observation["body"];
}

/**
 * Reads a resource. With the state's outputs it is a refresh: only `seen` moves, and the inputs carry what
 * others changed. From an id alone it yields the inputs of a program that would be quiet.
 * @throws where an id alone names nothing, and for every answer that proves neither presence nor absence.
 */
export async function read(
  definition: Definition,
  input: StepInput,
  id: string,
  outputs?: Inputs,
): Promise<ReadBack | undefined> {
  const records = recordsOf(definition, outputs);
  return records ? refreshed(definition, input, records, outputs) : found(definition, input, id);
}

async function refreshed(
  definition: Definition,
  input: StepInput,
  records: Records,
  outputs?: Inputs,
): Promise<ReadBack | undefined> {
  const context = objectContextOf(definition, "read", input, records.applied, outputs);
  if (isPerhapsMade(records)) return perhapsThere(context, records, outputs);
  // What was found once is looked at again, whether the program writes it yet or not.
  const links = managedLinks(definition, records.applied, saying(records.seen));
  const current = await observe(context, records.address, links);
  if (current === undefined) return undefined;
  const answer = modelOfBody(definition, current.body, records.applied);
  const before = caughtUp(definition, records, current);
  // Most objects are as they were: the same model is then not compared again.
  const seen = equalJson(plainModel(answer), plainModel(before.seen)) ? before.seen : answer;
  if (seen !== before.seen) tellDrift(context, before, seen);
  const { token: _, ...rest } = before;
  const now: Records = {
    ...rest,
    // A write that could not be read back, or an older state, may lack parts of it: told only now, or needed by a proof.
    address: { ...current.address, ...records.address },
    seen,
    ...(current.token !== undefined && { token: current.token }),
  };
  const wasQuiet = isAsApplied(definition, records) && isAsApplied(definition, now);
  return {
    id: definition.where.id.format(now.address, input.connection.name),
    outputs: outputsOf(definition, { ...now.applied }, now, current.body),
    ...(!wasQuiet && { inputs: driftedInputs(definition, now) }),
  };
}

/** One that is perhaps made is ours where it is there and just what was written; else it stays perhaps made. */
async function perhapsThere(
  context: ObjectContext,
  records: Records,
  outputs: Inputs = {},
): Promise<ReadBack> {
  const { definition, connection } = context;
  const { attempted = {}, address } = records;
  const readById = await observe(context, address, managedLinks(definition, attempted));
  const made = readById && asMade(context, records, readById);
  const id = definition.where.id.format(made?.address ?? address, connection.name);
  if (made === undefined) return { id, outputs: { ...known(outputs) } };
  return { id, outputs: outputsOf(definition, { ...attempted }, made, readById?.body ?? {}) };
}

/** The properties of a model that are not empty. */
function saying(model: Model): Model {
  return Object.fromEntries(Object.entries(model).filter(([, value]) => !isHollow(value)));
}

/**
 * Says which managed fields moved since the last read, whatever the engine makes of it. Who moved them is not said: it may
 * have been a write of ours that is in no state, because the process was killed after it.
 */
function tellDrift(context: ObjectContext, records: Records, now: Model): void {
  const { definition } = context;
  const movements = movementsSince(definition, records, records.applied, now);
  if (movements.length === 0) return;
  const table = driftTable(movements, secrecyOf(definition, records.applied, context.redactor));
  context.log(
    "info",
    ["changed since it was last read, by no up that the state knows of:", ...table].join("\n"),
  );
}

/** Whether the service holds what the program wrote, so that the state's inputs say so too, in whatever spelling. */
function isAsApplied(definition: Definition, records: Records): boolean {
  return (
    records.seen === records.settled || equalJson(driftedInputs(definition, records), { ...records.applied })
  );
}

async function found(definition: Definition, input: StepInput, id: string): Promise<ReadBack> {
  const parsed = definition.where.id.parse(id);
  if (parsed === undefined) {
    const forms = [definition.where.id.template, ...definition.where.id.others].join(" or ");
    throw new AdvisedError(
      `${JSON.stringify(id)} is no id of a ${definition.token}: it has the form ${forms}`,
      CORRECT_THE_ID,
    );
  }
  for (const [name, part] of Object.entries(parsed.address)) {
    const why = part === undefined ? undefined : whyNoName(part);
    if (why !== undefined)
      throw new AdvisedError(
        `${JSON.stringify(id)} is no id of a ${definition.token}: its ${name} ${why}`,
        CORRECT_THE_ID,
      );
  }
  const context = objectContextOf(definition, "read", input);
  const address = { ...leftToConnection(definition, input, parsed), ...parsed.address };
  return readAt(context, address);
}

/** The parts that a short form of an id omits, from the connection, as for a program that does not write them. */
function leftToConnection({ where }: Definition, { connection }: StepInput, { omitted }: ParsedId) {
  const entries = omitted.map((name) => [name, where.defaults?.[name]?.of(connection)] as const);
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
}

/**
 * Reads the object at an address, with everything that the service shows of it.
 * @throws Error where it is proven that there is none.
 */
export async function readAt(context: ObjectContext, address: Address): Promise<ReadBack> {
  const { definition } = context;
  const { reads, links } = definition.life;
  const allLinks = new Map(links.map((link) => [link.field, undefined]));
  const whole = (await reads.locate?.(context, address)) ?? address;
  const current = await observe(context, whole, allLinks);
  if (current !== undefined) return imported(definition, context, current);
  const name = definition.where.id.format(whole, context.connection.name) || Object.values(whole).join("/");
  const { evidence } = goneProofOf(definition.service, reads);
  throw new AdvisedError(
    `${definition.token} ${JSON.stringify(name)} does not exist: ${evidence}`,
    CORRECT_THE_ID,
  );
}

/** The text says what an id must be. */
const CORRECT_THE_ID = [checked("")];

function imported(definition: Definition, input: StepInput, current: Observation): ReadBack {
  const seen = modelOfBody(definition, current.body);
  const { name } = input.connection;
  const { imports, leavesOut } = definition.life.reads;
  const readAs = (whole: Values) => {
    const own = imports?.(whole, current.address) ?? whole;
    const inputs = name === undefined ? own : { ...own, connection: name };
    const records: Records = {
      address: current.address,
      applied: inputs,
      settled: seen,
      seen,
      ...(current.token !== undefined && { token: current.token }),
    };
    return { inputs, outputs: outputsOf(definition, inputs, records, current.body) };
  };
  const whole = inputsFromObservation(definition, seen, current.address);
  const usual = withoutOwnPlace(
    definition,
    input,
    inputsFromObservation(definition, seen, current.address, { leavesOut }),
    current.address,
  );
  return {
    id: definition.where.id.format(current.address, name),
    ...readAs(whole),
    taken: readAs(usual),
    body: current.body,
  };
}

/** Inputs without the parts of their address that lead to the same object where nobody writes them. */
function withoutOwnPlace(definition: Definition, input: StepInput, inputs: Values, address: Address): Values {
  const { unset, template } = definition.where.id;
  return Object.keys(inputs)
    .filter((name) => address[name] !== undefined && fieldNamed(definition, name)?.required === false)
    .reduce((rest: Values, name) => {
      const { [name]: _, ...others } = rest;
      // What neither the connection nor the id says is the service's to say, which it did when this was read.
      const byItself =
        addressOf(definition, input.connection, others)[name] ??
        unset[name] ??
        (template.includes(`{${name}}`) ? undefined : address[name]);
      return byItself === address[name] ? others : rest;
    }, inputs);
}
