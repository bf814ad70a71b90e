import { OTHER_PRODUCT } from "./answerErrors";
import type { HttpAnswer, HttpRequest } from "./request";
import { describeWords, isHtml } from "./words";

/** Says what is wrong with a success that cannot be the service's; undefined where nothing is. */
export function unexpectedIn(
  answer: HttpAnswer,
  { expect = "json", nature }: HttpRequest,
): { readonly event: string; readonly words?: string; readonly advice: string } | undefined {
  const { status, text, json } = answer;
  if (status < 200 || status > 299 || expect === "text" || json !== undefined) return undefined;
  const event = `answered ${status}`;
  if (isHtml(answer)) return { event, words: describeWords(answer, () => "").words, advice: OTHER_PRODUCT };
  if (text.trim() !== "")
    return { event: `${event} with text that is no JSON, or a torn one`, advice: CHECK };
  // A write may have nothing to return. A read always has: something on the way has dropped it.
  return nature === "read" && status !== 204
    ? { event: `${event} with nothing in it`, advice: CHECK }
    : undefined;
}

const CHECK =
  "Check that the address is the service's own, and what stands between (a proxy, a load balancer).";
