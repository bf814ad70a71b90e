import { type Model, modelOfBody } from "../../compare/model";
import { predicted } from "../../compare/response";
import { ServiceError } from "../../http/errors";
import type { Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import { managedLinks, observe } from "../../requests/observe";
import { probeContext } from "../../requests/probe";
import { ConflictError } from "../../state/conflict";
import { NotOfferedError } from "../../state/failures";
import { isNeverRead, type Records } from "../../state/records";
import { toError } from "../../value/error";
import { isAnswer, type Unfinished } from "./found";
import { appliedSoFar, movedByOthers, only } from "./links";
import { partial } from "./partial";
import { settledByOurs } from "./settledByOurs";

/** What is known of the object after its main write: where it is, and what it is, where the answer says that. */
export interface MainWrite {
  readonly address: Records["address"];
  readonly own: Observation | undefined;
}

/**
 * Runs what follows a write; a failure leaves the state with the id and what is known to be live. Only the write's own answer,
 * or what was found in its place, is taken for ours: what is read after a failure may be somebody else's by then, whom the next
 * look has to show.
 */
export async function orPartial(
  context: ObjectContext,
  work: Unfinished,
  main: MainWrite,
  written: ReadonlySet<string>,
  run: () => Promise<Observation>,
): Promise<Observation> {
  try {
    return await run();
  } catch (error) {
    const { definition } = context;
    const { own, address } = main;
    const unwritten = unwrittenLinks(context, work, written, error);
    const read = await readNow(context, work, address);
    const isNo = error instanceof ServiceError && !error.unclear;
    const there = isNo && read ? modelOfBody(definition, read.body, work.inputs) : undefined;
    const applied = appliedSoFar(definition, work, unwritten, there);
    const now = read && modelOfBody(definition, read.body, applied);
    const settled = without(
      own ? settledByAnswer(context, work, own, now) : predictedOf(context, work, applied),
      unwritten,
    );
    const before = work.records;
    // What somebody made of a link meanwhile the next look has to show, but for what the error itself shows.
    const done = new Set([...written, ...createdWith(definition, work)]);
    const isTold = now === undefined || error instanceof ConflictError;
    const moved = isTold ? new Set<string>() : movedByOthers(context, work, done, now);
    const links = definition.life.links.map(({ field }) => field).filter((name) => !moved.has(name));
    const records: Records = {
      address: read?.address ?? address,
      applied,
      settled: { ...settled, ...only(before.settled, unwritten) },
      // The write's answer shows no link that has requests of its own.
      seen: { ...settled, ...only(before.seen, unwritten), ...(now && only(now, new Set(links))) },
      unfinished: toError(error).message,
      ...(own === undefined && { unread: true }),
      ...tokenOf(context, work, own),
    };
    const live = read ?? (isAnswered(work) ? own : undefined);
    throw partial(context, records, applied, live?.body ?? {}, toError(error));
  }
}

/** The links that were to be written, and were not, or of which that is not known. */
function unwrittenLinks(
  { definition }: ObjectContext,
  { changes }: Unfinished,
  written: ReadonlySet<string>,
  error: unknown,
): ReadonlySet<string> {
  const changed = new Set(changes.map(({ field }) => field.name));
  const links = definition.life.links.map(({ field }) => field);
  const unwritten = new Set(links.filter((name) => changed.has(name) && !written.has(name)));
  if (error instanceof NotOfferedError) unwritten.add(error.property);
  return unwritten;
}

/** The links that the main write itself has made. */
function createdWith({ life: { links } }: Definition, { answer, records }: Unfinished): string[] {
  if (answer === undefined || !isNeverRead(records)) return [];
  return links.filter(({ isCreatedWith }) => isCreatedWith).map(({ field }) => field);
}

/** What our write has come to, by its answer. */
function settledByAnswer(
  context: ObjectContext,
  work: Unfinished,
  { body }: Observation,
  now: Model | undefined,
): Model {
  const answered = modelOfBody(context.definition, body, work.inputs);
  if (context.definition.life.check !== undefined) return answered;
  return settledByOurs(context, work, { answered: body, read: now ?? answered });
}

/** The same where no answer shows it. */
function predictedOf({ definition }: ObjectContext, { records }: Unfinished, applied: Values): Model {
  return predicted(definition, applied, records.seen, records.seen);
}

/** The object as it is after a half-made write, if it can be read at all. */
async function readNow(
  context: ObjectContext,
  { inputs, records }: Unfinished,
  address: Records["address"],
): Promise<Observation | undefined> {
  // Which of the links' requests were carried out is not known: only what was written before is taken as written.
  const links = managedLinks(context.definition, records.applied, inputs);
  try {
    return await observe(probeContext(context), address, links);
  } catch {
    return undefined;
  }
}

/** The token of our write, as far as its answer tells it; else the one that the write was made from, which proves it yet. */
function tokenOf(
  { definition }: ObjectContext,
  { answer, records }: Unfinished,
  own: Observation | undefined,
): Pick<Records, "token"> {
  const { check } = definition.life;
  const named = answer && isAnswer(answer) && check?.proof === "named" ? check.named(answer) : undefined;
  const token = own?.token ?? (check?.proof === "repeated" ? records.token : named);
  return token === undefined ? {} : { token };
}

/** Whether the main write was answered; else the object was found in place of an answer. */
function isAnswered({ answer }: Unfinished): boolean {
  return answer !== undefined && isAnswer(answer);
}

function without(model: Model, names: ReadonlySet<string>): Model {
  return Object.fromEntries(Object.entries(model).filter(([name]) => !names.has(name)));
}
