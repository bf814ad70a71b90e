import { Refusal } from "./errors";
import type { Outcome } from "./operation";

/** An answer, or a refusal that holds for an index: either may be waited past. */
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
