import type { ScenarioRun } from "./scenarioRun";

const CANCELS = /^DELETE .*\/(rekey[\w-]*|rotate\/recovery)\/init$/;

/**
 * The number of actions that were carried out, and of repeated ones, also those without an effect. A share counts
 * once per nonce, and a start counts once until it is canceled.
 */
export function actionsIn({ requests, later }: ScenarioRun): number {
  const given = new Set<string>();
  let actions = 0;
  for (const { isSingleUse, carriedOut, isDone, method, target, body } of [...requests, ...later]) {
    const what = `${method} ${target} ${body}`;
    if (!isSingleUse || (!isDone && !given.has(what))) continue;
    if (CANCELS.test(`${method} ${target}`)) given.clear();
    const isAnotherShare = /\/rekey-|\/rotate\/recovery\//.test(target) && !given.has(what);
    given.add(what);
    actions += isAnotherShare ? 0 : carriedOut;
  }
  return actions;
}
