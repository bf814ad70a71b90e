import type { Change, Movement } from "../compare";
import { movementTable } from "../conflict";
import { fieldsOf, type Observation } from "../define";
import { PartialError } from "../failures";
import type { HttpAnswer } from "../http/request";
import type { Json } from "../json";
import { isEmpty, type Model, modelOfBody, plainModel } from "../model";
import { type Record3, recordAfterWrite } from "../record";
import { isSecretPath } from "../secrets";
import type { StepContext } from "./context";
import { observe, opened, withLinks } from "./observe";
import { leavesThatDiffer, outputsOf } from "./outputs";
import { predicted } from "./predict";
import { conflict } from "./reconcile";
import { nameOf } from "./resource";
import { sendWrite, type Write } from "./write";

type Inputs = Readonly<Record<string, Json>>;

/** What a step leaves behind: the records, and the object as it was last read (none where nothing was sent). */
export interface Finished {
  readonly record: Record3;
  readonly inputs: Inputs;
  readonly body?: Observation["body"];
}

/** What is left to do after the main write. */
export interface Unfinished {
  /** The record that the write was made from. */
  readonly record: Record3;
  readonly inputs: Inputs;
  readonly links: ReadonlySet<string>;
  readonly changes: readonly Change[];
  /** The write's own answer, or the object as it was found to be after it. */
  readonly answer?: HttpAnswer | Observation;
  /** The write, where its answer is known. */
  readonly write?: Write;
}

/**
 * After the main write: writes the links, reads back, makes sure that what was read is the answer to our write,
 * and waits for what the definition waits for. Whatever fails from here on leaves a resource that is half made.
 * @throws PartialError with the id and what is live.
 */
export async function finish(context: StepContext, work: Unfinished): Promise<Finished> {
  const { definition } = context;
  const { inputs, links, answer } = work;
  const address = addressAfter(context, work);
  const written = new Set<string>();
  let observation = await guarded(context, work, address, written, async () => {
    await writeLinks(context, work, address, written);
    return (await readBack(context, work, address, written)) ?? vanished(context, address);
  });
  let record = recordAfterWrite(definition, inputs, observation);
  if (work.write && answer && isAnswer(answer)) {
    const verdict = await verified(context, work, work.write, answer, observation);
    record = verdict.record;
    if (verdict.error) throw partial(context, record, inputs, observation.body, verdict.error);
    if (verdict.observation) observation = verdict.observation;
  }
  const warnings = answer && isAnswer(answer) ? definition.warningsIn?.(answer.json ?? null) : undefined;
  if (warnings) context.log("warning", warnings);
  if (definition.acts?.settled && work.write && answer && isAnswer(answer)) {
    try {
      await definition.acts.settled(context, observation.address, inputs, answer.json ?? null);
    } catch (error) {
      throw partial(
        context,
        { ...record, unfinished: messageOf(error) },
        inputs,
        observation.body,
        asError(error),
      );
    }
    if (definition.acts.movesToken?.(inputs)) {
      const again = await observe(context, observation.address, links);
      if (again?.token !== undefined) record = { ...record, token: again.token };
    }
  }
  return { record, inputs, body: observation.body };
}

/** Where the object is, as far as the write's answer tells more than the inputs. */
function addressAfter(context: StepContext, { answer, record }: Unfinished) {
  if (answer === undefined) return record.address;
  if (!isAnswer(answer)) return answer.address;
  const { definition } = context;
  if (definition.answersWhole) return opened(context, answer, record.address).address;
  const own = definition.addressInAnswer?.(answer.json ?? null);
  return own === undefined ? record.address : { ...record.address, ...own };
}

async function writeLinks(
  context: StepContext,
  work: Unfinished,
  address: Record3["address"],
  written: Set<string>,
) {
  for (const link of context.definition.links ?? []) {
    const change = work.changes.find(({ field }) => field.name === link.field);
    if (change === undefined) continue;
    // A change that is being written holds no unknown values.
    await link.write(context, address, {
      from: (change.from ?? null) as Json,
      to: (change.to ?? null) as Json,
    });
    written.add(link.field);
  }
}

async function readBack(
  context: StepContext,
  work: Unfinished,
  address: Record3["address"],
  written: ReadonlySet<string>,
) {
  const { answer, links } = work;
  const isWhole = context.definition.answersWhole ?? false;
  if (answer && !isAnswer(answer) && written.size === 0) return answer;
  if (answer && isAnswer(answer) && isWhole && written.size === 0) {
    return withLinks(context, opened(context, answer, address), links);
  }
  return observe(context, address, links);
}

function vanished(context: StepContext, address: Record3["address"]): never {
  throw new Error(
    `${nameOf(context.definition, address, context.connection)} was gone right after it was written`,
  );
}

/** Runs what follows a write; a failure leaves the state with the id and what is known to be live. */
async function guarded(
  context: StepContext,
  work: Unfinished,
  address: Record3["address"],
  written: ReadonlySet<string>,
  run: () => Promise<Observation>,
): Promise<Observation> {
  try {
    return await run();
  } catch (error) {
    const { definition } = context;
    const failedLinks = (definition.links ?? [])
      .map((link) => link.field)
      .filter((name) => !written.has(name));
    const changed = new Set(work.changes.map(({ field }) => field.name));
    const unwritten = new Set(failedLinks.filter((name) => changed.has(name)));
    const applied = Object.fromEntries(Object.entries(work.inputs).filter(([name]) => !unwritten.has(name)));
    const live = await liveNow(context, work, address);
    const believed = predicted(definition, applied, work.record.seen, work.record.seen);
    const model = live ? modelOfBody(definition, live.body, applied) : believed;
    const record: Record3 = {
      address: live?.address ?? address,
      applied,
      settled: model,
      seen: model,
      unfinished: messageOf(error),
      ...(live === undefined && { unread: true }),
      ...tokenIn(live?.token ?? tokenAnswered(context, work)),
    };
    throw partial(context, record, applied, live?.body ?? {}, asError(error));
  }
}

function tokenAnswered({ definition }: StepContext, { answer }: Unfinished): string | undefined {
  return answer && isAnswer(answer) ? definition.checkAndSet?.answered?.(answer) : undefined;
}

function tokenIn(token: string | undefined): Pick<Record3, "token"> {
  return token === undefined ? {} : { token };
}

/** The object as it is after a half-made write, if it can be read at all. */
async function liveNow(context: StepContext, work: Unfinished, address: Record3["address"]) {
  const { answer } = work;
  if (answer && isAnswer(answer) && context.definition.answersWhole) return opened(context, answer, address);
  try {
    return await observe(context, address, new Set());
  } catch {
    return undefined;
  }
}

interface Verdict {
  readonly record: Record3;
  readonly observation?: Observation;
  readonly error?: Error;
}

/**
 * Makes sure that what was read back is the answer to our write, and not somebody's later edit, which would
 * otherwise pass for a value that the service chose.
 */
async function verified(
  context: StepContext,
  work: Unfinished,
  write: Write,
  answer: HttpAnswer,
  observation: Observation,
): Promise<Verdict> {
  const { definition } = context;
  const { inputs, record: before } = work;
  const record = recordAfterWrite(definition, inputs, observation);
  if (definition.answersWhole) return { record };
  const expected = predicted(definition, inputs, before.settled, record.seen);
  // A service may drop an empty text: that explains itself.
  const unexplained = leavesThatDiffer(plainModel(expected), plainModel(record.seen), []).filter(
    ({ path, to }) => !(isEmpty(to) && isEmpty(valueAt(expected, path))),
  );
  const { checkAndSet } = definition;
  if (checkAndSet === undefined) {
    const movements = movementsFrom(context, expected, record.seen, lackingOnly(unexplained, expected));
    if (movements.length > 0) warnOfAnswer(context, inputs, observation, movements);
    return { record };
  }
  if (!(await wasMovedAfter(context, write, answer, observation, unexplained.length > 0))) return { record };
  const exact = await checkAndSet.exactAnswer?.(context, observation.address, checkAndSet.answered?.(answer));
  const settled = exact ? modelOfBody(definition, exact, inputs) : expected;
  const differing = leavesThatDiffer(plainModel(settled), plainModel(record.seen), []);
  const movements = movementsFrom(context, settled, record.seen, differing);
  if (movements.length === 0) return { record };
  const moved: Record3 = { ...record, settled };
  return { record: moved, error: conflict(context, before, inputs, observation, movements, true) };
}

async function wasMovedAfter(
  context: StepContext,
  write: Write,
  answer: HttpAnswer,
  observation: Observation,
  hasUnexplained: boolean,
): Promise<boolean> {
  const { checkAndSet } = context.definition;
  const answered = checkAndSet?.answered?.(answer);
  if (answered !== undefined) return !checkAndSet?.isAnswerOf?.(answered, observation.body);
  if (!hasUnexplained || checkAndSet?.isUntouched?.(observation.body)) return false;
  return checkAndSet?.repeatProves === true && (await sendWrite(context, write)).kind === "lost";
}

function movementsFrom(
  context: StepContext,
  ours: Model,
  theirs: Model,
  differing: readonly { path: readonly (string | number)[] }[],
): Movement[] {
  return differing.flatMap(({ path }) => {
    const field = fieldsOf(context.definition).find(({ name }) => name === path[0]);
    if (field === undefined) return [];
    const own = valueAt(ours, path);
    return [{ path, field, base: own, ours: own, theirs: valueAt(theirs, path) }];
  });
}

/** Without check-and-set, only a value of ours that came back as another is worth a word: additions may be the service's. */
function lackingOnly(differing: readonly { path: readonly (string | number)[] }[], expected: Model) {
  return differing.filter(({ path }) => valueAt(expected, path) !== undefined);
}

function warnOfAnswer(
  context: StepContext,
  inputs: Inputs,
  observation: Observation,
  movements: readonly Movement[],
) {
  const { definition, connection } = context;
  const name = nameOf(definition, observation.address, connection);
  const table = movementTable(movements, (path) => isSecretPath(definition, inputs, path));
  context.log(
    "warning",
    [
      `${name} does not hold what was just written: the service made it another value, or somebody was faster:`,
      ...table,
    ].join("\n"),
  );
}

function valueAt(model: unknown, path: readonly (string | number)[]): Json | undefined {
  let value: unknown = model;
  for (const segment of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[segment];
  }
  return value as Json | undefined;
}

function partial(
  context: StepContext,
  record: Record3,
  inputs: Inputs,
  body: Observation["body"],
  reason: Error,
): PartialError {
  const { definition, connection } = context;
  const id = definition.id.format(record.address, connection.name);
  return new PartialError(id, outputsOf(definition, { ...inputs }, record, body), reason);
}

function isAnswer(answer: HttpAnswer | Observation): answer is HttpAnswer {
  return "status" in answer;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function messageOf(error: unknown): string {
  return asError(error).message;
}
