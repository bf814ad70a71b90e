import { ServiceError } from "./errors";
import type { HttpRequest } from "./request";

/**
 * Whether a request may be sent again, of which nothing was carried out; not where that cannot be told.
 * @throws what its sender says that forbids it
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
