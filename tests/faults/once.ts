import type { Course } from "./course";

const CANCELS = /^DELETE .*\/(rekey[\w-]*|rotate\/recovery)\/init$/;

/**
 * How much was done that is done once, and what was sent again after that, whether there was anything left to do or not. A
 * share is done once for the nonce that it is given to, a start until it is cancelled.
 */
export function deedsIn({ requests, later }: Course): number {
  const given = new Set<string>();
  let deeds = 0;
  for (const { isSingleUse, carriedOut, isDone, method, target, body } of [...requests, ...later]) {
    const what = `${method} ${target} ${body}`;
    if (!isSingleUse || (!isDone && !given.has(what))) continue;
    if (CANCELS.test(`${method} ${target}`)) given.clear();
    const isAnotherShare = /\/rekey-|\/rotate\/recovery\//.test(target) && !given.has(what);
    given.add(what);
    deeds += isAnotherShare ? 0 : carriedOut;
  }
  return deeds;
}
