import { ServiceError } from "./errors";
import type { HttpRequest } from "./request";

/**
 * True if a request that was not applied may be sent again; false if that cannot be determined.
 * @throws the error with which `beforeAgain` forbids it
 */
export async function mayBeSentAgain({ beforeAgain }: Pick<HttpRequest, "beforeAgain">): Promise<boolean> {
  try {
    await beforeAgain?.();
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}
