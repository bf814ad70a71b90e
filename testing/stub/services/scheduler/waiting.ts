import { Refusal } from "./errors";
import type { Outcome } from "./operation";

/**
 * Runs an attempt and returns its result with an index. Outcomes and indexed errors both have one, so a blocking query can
 * wait past either.
 */
export async function outcomeWithIndex(
  attempt: () => Outcome | Promise<Outcome>,
): Promise<{ readonly result: () => Outcome; readonly index: number }> {
  try {
    const outcome = await attempt();
    return { result: () => outcome, index: outcome.index };
  } catch (error) {
    if (!(error instanceof Refusal) || error.index === undefined) throw error;
    return {
      result: () => {
        throw error;
      },
      index: error.index,
    };
  }
}
