import { AdvisedError, upAgain } from "../http/waysOn";
import type { RequestContext } from "../language/stepInput";
import type { Json } from "../value/json";
import { askBlocking, type BlockingQuery, queryMetaOf } from "./blocking";
import { errorFrom, isSuccess } from "./observe";
import { watched } from "./watch";

/**
 * Asks again whenever the service says that something has changed, until an answer decides the matter. It goes on
 * through lost connections, and ends with the step.
 * @param verdict what an answer comes to; undefined where it decides nothing yet
 * @param overdue what is told when the step's time is over
 * @throws whatever another try could not mend.
 */
export async function followed<T>(
  context: RequestContext,
  query: BlockingQuery,
  verdict: (answer: Json) => T | undefined,
  overdue: () => Error,
): Promise<T> {
  const answers = watched(context, async (index) => {
    const left = context.deadline - context.connection.runtime.now();
    if (left <= 0) throw overdue();
    const waiting = index === undefined ? {} : { index, wait: `${longestWait(left)}s` };
    const answer = await askBlocking(context, { ...query, isBounded: true }, waiting);
    if (!isSuccess(answer)) {
      const error = errorFrom(context, answer, query.route, query.address);
      // A 500 is the service's own refusal; what a gateway answers may pass.
      throw answer.status === 500 ? new AdvisedError(error.what, error.ways, error.end) : error;
    }
    const value = answer.json ?? null;
    return { value, shows: value, index: queryMetaOf(context, answer).index };
  });
  for await (const answer of answers) {
    const decision = verdict(answer);
    if (decision !== undefined) return decision;
  }
  throw new AdvisedError("it was cancelled while it waited.", [upAgain(", which goes on waiting")]);
}

const LONGEST_WAIT_S = 300;

/** Seconds that the service may hold an answer back; it adds up to a sixteenth. */
function longestWait(leftMs: number): number {
  return Math.max(1, Math.min(LONGEST_WAIT_S, Math.floor((leftMs * 16) / 17 / 1000)));
}
