import { type Model, modelOfBody, plainModel } from "../../compare/model";
import { AdvisedError, refreshFirst } from "../../http/waysOn";
import type { Observation } from "../../language/object";
import { answeredParts } from "../../language/place";
import type { ObjectContext } from "../../language/resource";
import { observe, opened, withLinks } from "../../requests/observe";
import { probeContext } from "../../requests/probe";
import type { PartialError } from "../../state/failures";
import { type Records, recordsAfterWrite } from "../../state/records";
import { toError } from "../../value/error";
import { equalJson } from "../../value/json";
import { type Finished, isAnswer, receiptOf, type Unfinished, withReceipt } from "./found";
import { type MainWrite, orPartial } from "./halfMade";
import { writeLinks } from "./links";
import { judgeAnswer } from "./ownAnswer";
import { partial } from "./partial";
import { believedOurs, provenOurs, sentAgain, type Verdict } from "./proveOurs";
import { refuseNotTaken } from "./refuseNotTaken";
import { settledByOurs } from "./settledByOurs";

/**
 * After the main write: writes the links, reads back, makes sure that what was read is the answer to our write,
 * and waits for what the definition waits for. Whatever fails from here on leaves a resource that is half made.
 * @throws PartialError with the id and what is live.
 */
export async function finish(context: ObjectContext, work: Unfinished): Promise<Finished> {
  const { definition } = context;
  const { check, writes } = definition.life;
  const { inputs, answer } = work;
  const own = ownAnswer(context, work);
  const address = own?.address ?? addressAnswered(context, work);
  const written = new Set<string>();
  let isSentAgain = false;
  const observation = await orPartial(context, work, { address, own }, written, async () => {
    await writeLinks(context, work, { address, answered: own?.body }, written);
    const read = async () =>
      (await readBack(context, work, { address, own }, written)) ?? vanished(context, work, address);
    const found = await read();
    isSentAgain = await sentAgain(context, work, found);
    return isSentAgain ? read() : found;
  });
  let records = recordsAfterWrite(definition, inputs, observation);
  const isJudged = work.write !== undefined && own !== undefined && answer !== own;
  // The answer to what was sent first says nothing of what was sent again.
  let verdict: Verdict | undefined;
  if (work.write && answer && isAnswer(answer) && !isJudged && !isSentAgain)
    verdict = await provenOurs(context, work.records, work.write, answer, observation);
  if (answer && !isAnswer(answer) && answer.isUnproven)
    verdict = believedOurs(context, work.records, inputs, observation);
  if (verdict) ({ records } = verdict);
  if (verdict?.error) throw partial(context, records, records.applied, observation.body, verdict.error);
  if (check === undefined) {
    const answered = own?.body ?? observation.body;
    records = { ...records, settled: settledByOurs(context, work, { answered, read: records.seen }) };
  }
  if (isJudged) judgeAnswer(context, work, records, own);
  if (answer && isAnswer(answer)) refuseNotTaken(context, work, records, { answer, read: observation });
  const receipt = receiptOf(context, work, observation);
  records = withReceipt(records, receipt);
  try {
    const given = answer && isAnswer(answer) ? (answer.json ?? null) : undefined;
    const learnt = await writes.after?.(context, inputs, observation, given);
    // Of a write of somebody else's, which was taken over, nothing is told.
    if (receipt !== undefined) records = withReceipt(records, { ...receipt, ...learnt });
  } catch (error) {
    const done = { records, inputs, body: observation.body };
    throw await waitFailed(context, done, work, toError(error));
  }
  return { records, inputs, body: observation.body };
}

/** The object by the answer to the main write, where that holds it, or as it was found in place of an answer. */
function ownAnswer(context: ObjectContext, { answer, records }: Unfinished): Observation | undefined {
  if (answer === undefined || !isAnswer(answer)) return answer;
  return context.definition.life.writes.answer === "object"
    ? opened(context, answer, records.address)
    : undefined;
}

/**
 * The error of a wait that failed. What was written is there, or the service has taken it back since: then the next write
 * is made from that. Anything else is somebody's, which nobody was shown: the next write is a conflict with it.
 */
async function waitFailed(
  context: ObjectContext,
  { records, inputs, body }: Required<Finished>,
  { links, records: before }: Unfinished,
  reason: Error,
): Promise<PartialError> {
  // Whatever ended the wait does not end this look.
  const now = await observe(probeContext(context), records.address, links).catch(() => undefined);
  const seen = now && modelOfBody(context.definition, now.body, inputs);
  const isKnown = (known: Model) => seen !== undefined && equalJson(plainModel(seen), plainModel(known));
  const unfinished = { ...records, unfinished: reason.message };
  if (now === undefined || seen === undefined || !(isKnown(records.seen) || isKnown(before.seen)))
    return partial(context, unfinished, inputs, body, reason);
  return partial(context, { ...unfinished, seen, ...tokenIn(now.token) }, inputs, now.body, reason);
}

/** Where the object is, as far as the write's answer tells more than the inputs. */
function addressAnswered({ definition: { service, life } }: ObjectContext, { answer, records }: Unfinished) {
  const { answer: told } = life.writes;
  if (answer === undefined || !isAnswer(answer) || typeof told !== "object") return records.address;
  return { ...records.address, ...answeredParts({ answered: told }, service.open(answer.json ?? null)) };
}

/** The write is done, so that neither the end of the operation's time nor a cancel ends the read back. */
async function readBack(
  context: ObjectContext,
  { answer, links, inputs }: Unfinished,
  { address, own }: MainWrite,
  written: ReadonlySet<string>,
) {
  if (own !== undefined && written.size === 0)
    return own === answer ? own : withLinks(probeContext(context), own, links, inputs);
  return observe(probeContext(context), address, links, inputs);
}

function vanished(context: ObjectContext, { write }: Unfinished, address: Records["address"]): never {
  const when = write === undefined ? "a moment after it was found" : "right after its write was answered";
  throw new AdvisedError(`${context.name(address)} was gone ${when}.`, [
    refreshFirst("pulumi refresh (which drops it from the state), then pulumi up"),
  ]);
}

function tokenIn(token: string | undefined): Pick<Records, "token"> {
  return token === undefined ? {} : { token };
}
