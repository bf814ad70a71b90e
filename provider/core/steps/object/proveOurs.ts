import { type Difference, differencesIn } from "../../compare/comparison";
import { isHollow } from "../../compare/entries";
import { formsIn } from "../../compare/forms";
import { type Model, modelOfBody } from "../../compare/model";
import type { Movement } from "../../compare/movements";
import { predicted } from "../../compare/response";
import type { ServiceError } from "../../http/errors";
import type { HttpAnswer } from "../../http/request";
import { AdvisedError, upAgain } from "../../http/waysOn";
import type { Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import { isSteering } from "../../language/role";
import type { CheckAndSet, NamedIndex } from "../../language/writes";
import type { Sighting } from "../../requests/probe";
import { repeated, stillHolds, type Write } from "../../requests/write";
import { movementTable } from "../../state/conflict";
import { type Records, recordsAfterWrite } from "../../state/records";
import { secrecyOf } from "../../state/redaction";
import { plannedChanges } from "../planned";
import { conflict } from "./conflicts";
import type { FoundInstead, Unfinished } from "./found";

/** What a read back says of a write. */
export interface Verdict {
  readonly records: Records;
  /** Somebody wrote right after us, so that theirs is what the service holds; or nobody could be asked whether. */
  readonly error?: Error;
}

/**
 * Makes sure that what was read back is the answer to our write, and not somebody's later edit, which would
 * otherwise pass for a value that the service chose.
 */
export async function provenOurs(
  context: ObjectContext,
  before: Records,
  write: Write,
  answer: HttpAnswer,
  observation: Observation,
): Promise<Verdict> {
  const { definition } = context;
  const { inputs } = write;
  const records = recordsAfterWrite(definition, inputs, observation);
  const { expected, unexplained } = explained(definition, inputs, before.settled, observation);
  const forms = formsIn(definition, inputs);
  const { check } = definition.life;
  if (check === undefined) {
    // Only a value of ours that came back as another is told: additions may be the service's own.
    const movements = unexplained.filter(({ from }) => from !== undefined).map(asMovement);
    if (movements.length > 0) warnOfAnswer(context, inputs, movements);
    return { records };
  }
  if (check.proof === "repeated" && check.refusesEqual?.(observation.body)) {
    return { records: asDrift(context, records, inputs, { expected, unexplained }) };
  }
  // An index of another object's says nothing of this one: what came back as written is ours, as far as can be told.
  if (check.proof === "named" && !isNamedOwn(check, write, answer, observation)) {
    if (unexplained.every(({ from }) => from === undefined)) return { records };
  }
  let why: ServiceError | undefined;
  const isTheirs = await wasWrittenAfter(
    context,
    check,
    { write, answer, observation, hasUnexplained: unexplained.length > 0 },
    (failure) => {
      why = failure;
    },
  );
  if (isTheirs === undefined)
    return unproven(records, before, expected, why === undefined ? UNPROVEN : `${UNPROVEN} ${why.told}`);
  if (!isTheirs) return { records };
  const exact =
    check.proof === "named"
      ? await check.exact(context, observation.address, check.named(answer))
      : undefined;
  const settled = exact ? modelOfBody(definition, exact, inputs) : expected;
  const movements = differencesIn(definition, settled, records.seen, forms).map(asMovement);
  if (movements.length === 0) return { records };
  const moved: Records = { ...records, settled };
  return {
    records: moved,
    error: conflict(context, before, inputs, observation, movements, { afterOurs: true }),
  };
}

/** What a write should have come to, as far as that is known, and what is otherwise: the service's additions, or somebody's. */
interface Explained {
  readonly expected: Model;
  readonly unexplained: readonly Difference[];
}

/**
 * What the service says of an object that was found in place of an answer, and that holds more than was written: it tells what
 * somebody has added from what it adds by itself, where it can be asked.
 * @param isHeld whether it holds all that was written, which counts where it cannot
 */
export async function askedWhose(
  context: ObjectContext,
  write: Write,
  found: Observation,
  isHeld: boolean,
): Promise<Sighting<FoundInstead>> {
  if (context.definition.life.check?.proof !== "repeated") return { isApplied: isHeld, found };
  const holds = await stillHolds(context, write, found);
  if (holds ?? isHeld) return { isApplied: true, found: holds ? found : { ...found, isUnproven: true } };
  return { isApplied: false, found, isUndecided: holds === undefined };
}

/** What is found in place of an answer where nobody could be asked whether all of it is ours. */
export function believedOurs(
  context: ObjectContext,
  before: Records,
  inputs: Values,
  observation: Observation,
): Verdict {
  const { definition } = context;
  const { check } = definition.life;
  const records = recordsAfterWrite(definition, inputs, observation);
  const known = explained(definition, inputs, before.settled, observation);
  const isNeverTold = check?.proof === "repeated" && check.refusesEqual?.(observation.body);
  if (isNeverTold || known.unexplained.length === 0)
    return { records: asDrift(context, records, inputs, known, HELD_BESIDE) };
  return unproven(records, before, known.expected, BELIEVED);
}

/** Where nobody can tell whose it is, what is otherwise than it was written, additions too, is told, and shows as drift. */
function asDrift(
  context: ObjectContext,
  records: Records,
  inputs: Values,
  { expected, unexplained }: Explained,
  told = OTHERWISE,
): Records {
  if (unexplained.length === 0) return records;
  warnOfAnswer(context, inputs, unexplained.map(asMovement), told);
  return { ...records, settled: expected };
}

/**
 * What a write has come to.
 * @param settled what was settled before it
 */
export function explained(
  definition: Definition,
  inputs: Values,
  settled: Model,
  { body, address }: Observation,
): Explained {
  const seen = modelOfBody(definition, body, inputs);
  const expected = predicted(definition, inputs, settled, seen, address);
  const unexplained = differencesIn(definition, expected, seen, formsIn(definition, inputs)).filter(
    // A service may drop what is empty, or show it: neither needs another writer.
    ({ field, path, from, to }) => [from, to].some((value) => !isHollow(field, value, path.slice(1))),
  );
  return { expected, unexplained };
}

/** What is otherwise than it was written, where nobody could be asked whose it is: the next up asks by the same token. */
function unproven(records: Records, before: Records, expected: Model, told: string): Verdict {
  const { token: _, ...rest } = records;
  return {
    records: {
      ...rest,
      settled: expected,
      seen: expected,
      unread: true,
      unfinished: told,
      ...(before.token !== undefined && { token: before.token }),
    },
    error: new AdvisedError(told, [upAgain(", which asks again")]),
  };
}

const BELIEVED =
  "whether it was written could not be asked: what is there holds all of it, and is otherwise beside that, by the service or by somebody.";

const UNPROVEN =
  "it was written, and what was read back is otherwise than that: the service added to it, or somebody wrote after it, which could not be asked.";

/**
 * A yes alone proves nothing where it is said of what is there already, too. An index that did not move, while something
 * is left to change, says that nothing was written: the write is sent once more, fenced by the same token.
 */
export async function sentAgain(
  context: ObjectContext,
  { records, inputs, write }: Unfinished,
  found: Observation,
): Promise<boolean> {
  if (write?.token === undefined || found.token !== write.token) return false;
  const seen = modelOfBody(context.definition, found.body, inputs);
  const left = plannedChanges(context.definition, { ...records, seen }, inputs);
  if (left.every(({ field: { facts } }) => isSteering(facts))) return false;
  return (await repeated(context, write)) === true;
}

/** Whether the index that an answer names can be that of this write. */
function isNamedOwn(check: NamedIndex, { token }: Write, answer: HttpAnswer, { body }: Observation): boolean {
  const named = check.named(answer);
  return named === undefined || check.isStill(named, body) || check.isOwn(named, body, token);
}

/** A write with its answer, and what was read after it. */
interface ReadBack {
  readonly write: Write;
  readonly answer: HttpAnswer;
  readonly observation: Observation;
  /** Whether anything of it is otherwise than it was written, beside what the service adds. */
  readonly hasUnexplained: boolean;
}

/** Whether somebody wrote after us; undefined where that could not be asked. */
async function wasWrittenAfter(
  context: ObjectContext,
  check: CheckAndSet,
  { write, answer, observation, hasUnexplained }: ReadBack,
  onFailure: (why: ServiceError) => void,
): Promise<boolean | undefined> {
  if (check.proof === "named") {
    const named = check.named(answer);
    return named !== undefined && !check.isStill(named, observation.body);
  }
  if (!hasUnexplained || check.isUntouched(observation.body)) return false;
  const holds = await stillHolds(context, write, observation, onFailure);
  return holds === undefined ? undefined : !holds;
}

/** What differs from our own write, as a movement of somebody else's. */
export function asMovement({ path, field, from, to }: Difference): Movement {
  return { path, field, base: from, ours: from, theirs: to };
}

const OTHERWISE =
  "it does not hold what was just written: the service made it another value, or somebody was faster:";

const HELD_BESIDE =
  "it holds all that was to be written, and is otherwise beside that, by the service or by somebody:";

function warnOfAnswer(
  context: ObjectContext,
  inputs: Values,
  movements: readonly Movement[],
  told = OTHERWISE,
) {
  const table = movementTable(movements, secrecyOf(context.definition, inputs, context.redactor));
  context.log("warning", [told, ...table].join("\n"));
}
