import { lacking } from "../../compare/missing";
import { modelOfBody } from "../../compare/model";
import { addressOf, knownAddress, nameOf } from "../../language/address";
import type { StepInput } from "../../language/call";
import { ONLY_IF_ABSENT } from "../../language/checkAndSet";
import type { ObjectContext } from "../../language/contexts";
import { fieldsOf } from "../../language/fields";
import type { Address, Observation } from "../../language/object";
import type { Definition } from "../../language/resource";
import { bodyForCreate } from "../../requests/body";
import { objectContextOf } from "../../requests/context";
import { managedLinks, observe } from "../../requests/observe";
import { type Outcome, sendWrite, type Write } from "../../requests/write";
import { AlreadyExistsError } from "../../state/failures";
import { outputsOf } from "../../state/outputs";
import type { Record3 } from "../../state/records";
import { isSecretPath } from "../../state/secrets";
import type { Json } from "../../value/json";
import { formatPath } from "../../value/path";
import { plannedChanges } from "../diff";
import { withTextRead } from "../readText";
import { finish } from "./afterWrite";
import { settle } from "./converge";
import type { Finished } from "./unfinished";

type Inputs = Readonly<Record<string, Json>>;

/** A resource as a step leaves it. */
export interface Made {
  readonly id: string;
  readonly outputs: { [property: string]: Json };
}

/**
 * Creates an object, only if it is absent. What exists already is taken over only with `adopt`. An unclear
 * answer is looked at: what is found identical to ours is ours.
 * @throws AlreadyExistsError, ConflictError, PartialError, ServiceError.
 */
export async function create(definition: Definition, input: StepInput, written: Inputs): Promise<Made> {
  const context = objectContextOf(definition, "create", input, written);
  const inputs = await withTextRead(context, written, []);
  const finished = await createdOrAdopted(context, inputs);
  const { record } = finished;
  return {
    id: definition.id.format(record.address, input.connection.name),
    outputs: outputsOf(definition, { ...inputs }, record, finished.body ?? {}),
  };
}

/** A create whose lost request is sent again at most once, after a look has shown that it did not happen. */
const MOST_TRIES = 2;

async function createdOrAdopted(context: ObjectContext, inputs: Inputs): Promise<Finished> {
  const { definition, connection } = context;
  const named = knownAddress(addressOf(definition, connection, inputs));
  const address = { ...named, ...(await definition.locate?.(context, named)) };
  const isGuarded = definition.checkAndSet !== undefined || definition.createRefusesExisting !== undefined;
  const mustLook = !isGuarded || definition.looksBeforeCreate === true;
  const there = mustLook ? await find(context, address, inputs) : undefined;
  if (there) return takenOver(context, there, inputs);
  const blank: Record3 = { address, applied: {}, settled: {}, seen: {} };
  const work = {
    record: blank,
    inputs,
    links: managedLinks(definition, inputs),
    changes: linkChanges(definition, blank, inputs),
  };
  const write: Write = {
    route: definition.create,
    address,
    body: bodyForCreate(definition, inputs),
    inputs,
    token: ONLY_IF_ABSENT,
  };
  const asked = connection.runtime.now();
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendWrite(context, write);
    if (outcome.kind === "done") return finish(context, { ...work, answer: outcome.answer, write });
    const found = await find(context, address, inputs);
    if (found && outcome.kind === "unclear") {
      const ours = await asOurs(context, found, write, asked);
      if (ours)
        return finish(context, { ...work, record: { ...blank, address: ours.address }, answer: ours });
    }
    if (found) return takenOver(context, found, inputs);
    const mayRepeat = definition.repeatsCreate?.(inputs) ?? true;
    if (attempt === MOST_TRIES || !mayRepeat || isRefusal(outcome))
      throw failureOf(context, outcome, address);
  }
}

/** An answer that came, and said no, is not asked again. */
function isRefusal(outcome: Outcome): boolean {
  return outcome.kind === "unclear" && outcome.answered;
}

function failureOf(context: ObjectContext, outcome: Outcome, address: Address): Error {
  if (outcome.kind === "unclear") return outcome.error;
  const name = nameOf(context.definition, address, context.connection);
  return new Error(
    `${name}: the service says that it exists, and does not show it; the token may lack the right to read it`,
  );
}

/** The object under this program's name, if there is one. */
async function find(
  context: ObjectContext,
  address: Address,
  inputs: Inputs,
): Promise<Observation | undefined> {
  const { definition } = context;
  const links = managedLinks(definition, {}, inputs);
  return definition.find ? definition.find(context, address, inputs) : observe(context, address, links);
}

/** How far two clocks may be apart before an object that was just made is taken for an older one. */
const CLOCKS_APART_MS = 30_000;

/** After a lost answer: the object that was found, if it is ours, or may be as far as can be told. */
async function asOurs(
  context: ObjectContext,
  found: Observation,
  write: Write,
  asked: number,
): Promise<Observation | undefined> {
  const { perhapsOurs } = context.definition;
  if (perhapsOurs === undefined) return (await isOurs(context, found, write, asked)) ? found : undefined;
  const carried = perhapsOurs(found.body, write.inputs);
  return carried && { ...found, address: { ...found.address, ...carried } };
}

/** After a lost answer: what holds everything that we wrote, and was not there before, is what we wrote. */
async function isOurs(
  context: ObjectContext,
  found: Observation,
  write: Write,
  asked: number,
): Promise<boolean> {
  const { definition } = context;
  const born = definition.bornAt?.(found.body);
  if (born !== undefined && Date.parse(born) < asked - CLOCKS_APART_MS) return false;
  if (lacking(definition, write.inputs, found).length === 0) return true;
  return definition.checkAndSet?.repeatProves === true && (await sendWrite(context, write)).kind === "done";
}

async function takenOver(context: ObjectContext, found: Observation, inputs: Inputs): Promise<Finished> {
  const { definition, connection } = context;
  const canAdopt = "adopt" in definition.fields;
  if (!(canAdopt && inputs.adopt === true) && !definition.takesOver?.(found.body, inputs)) {
    const name = nameOf(definition, found.address, connection);
    const what = definition.existing?.(found.body);
    const differences = differencesFrom(definition, found, inputs);
    throw new AlreadyExistsError(
      name,
      what === undefined ? differences : [`  ${what}`, ...differences],
      canAdopt,
    );
  }
  refuseFixed(context, found, inputs);
  const seen = modelOfBody(definition, found.body, inputs);
  const record: Record3 = {
    address: found.address,
    applied: {},
    settled: seen,
    seen,
    unfinished: "adopted",
    ...(found.token !== undefined && { token: found.token }),
  };
  const finished = await settle(context, record, inputs, found);
  const { unfinished: _, ...whole } = finished.record;
  return { ...finished, record: { ...whole, applied: inputs }, body: finished.body ?? found.body };
}

/** What is fixed after creation cannot be brought about by taking over. */
function refuseFixed(context: ObjectContext, found: Observation, inputs: Inputs): void {
  const { definition, connection } = context;
  const fixed = new Set(
    fieldsOf(definition)
      .filter(({ facts }) => facts.immutable)
      .map(({ name }) => name),
  );
  const differing = lacking(definition, inputs, found).filter(([name]) => fixed.has(String(name)));
  if (differing.length === 0) return;
  throw new Error(
    `${nameOf(definition, found.address, connection)} cannot be taken over: it differs in what is fixed once it exists ` +
      `(${differing.map(formatPath).join(", ")}); nothing was written. Write what it has, or remove it first`,
  );
}

/** How the object that was found differs from what the program writes, a line each. */
function differencesFrom(definition: Definition, found: Observation, inputs: Inputs): string[] {
  const paths = lacking(definition, inputs, found);
  if (paths.length === 0) return ["  it already holds everything that the program writes"];
  return [
    `  it differs in: ${paths
      .map((path) =>
        isSecretPath(definition, inputs, path) ? `${formatPath(path)} [secret]` : formatPath(path),
      )
      .slice(0, 10)
      .join(", ")}${paths.length > 10 ? ` and ${paths.length - 10} more` : ""}`,
  ];
}

function linkChanges(definition: Definition, blank: Record3, inputs: Inputs) {
  const later = (definition.links ?? []).filter((link) => !link.isCreatedWith);
  const linked = new Set(later.map((link) => link.field));
  return linked.size === 0
    ? []
    : plannedChanges(definition, blank, inputs).filter(({ field }) => linked.has(field.name));
}
