import type { Observation } from "../language/object";
import { equalJson } from "../value/json";

/** What a write was made from is another by the time at which it would be sent again; nothing of it was carried out. */
export class MovedMeanwhile extends Error {
  override readonly name = "MovedMeanwhile";
  readonly kind = "moved";
  /** @param found what is there now; nothing where it is gone */
  constructor(readonly found: Observation | undefined) {
    super("the object moved before the write was sent again");
  }
}

/**
 * What a write asks before it is sent again that no check of the service keeps from going over others' edits: whether the
 * object still is what it was made from.
 * @param current what was there at the look before it; nothing where it was not there
 */
export function unmoved(
  look: () => Promise<Observation | undefined>,
  current: Observation | undefined,
): () => Promise<void> {
  return async () => {
    const found = await look();
    const isSame = found === undefined ? current === undefined : equalJson(found.body, current?.body ?? null);
    if (!isSame) throw new MovedMeanwhile(found);
  };
}

/** How a write went, or that what it was made from has moved before it was sent again. */
export async function orMoved<Outcome>(written: Promise<Outcome>): Promise<Outcome | MovedMeanwhile> {
  try {
    return await written;
  } catch (error) {
    if (error instanceof MovedMeanwhile) return error;
    throw error;
  }
}
