import { ServiceError } from "../http/errors";
import type { HttpAnswer } from "../http/request";
import type { ObjectContext } from "../language/contexts";
import type { Address } from "../language/object";
import type { Route } from "../language/route";
import type { Described } from "../language/specified";
import type { Json } from "../value/json";
import { errorFrom } from "./observe";
import { send } from "./send";

/** How a request went that is never sent twice: its answer, or why it is open whether it was carried out. */
export type SentOnce =
  | { readonly answer: HttpAnswer; readonly lost?: undefined }
  | { readonly lost: Error; readonly answer?: HttpAnswer };

/**
 * Sends a request once.
 * @throws ServiceError where it is proven that it was not carried out: the service was not reached.
 */
export async function sendOnce(
  context: StepContext<Described>,
  route: Route,
  address: Address,
  body?: { [member: string]: Json },
  query?: Readonly<Record<string, string>>,
): Promise<SentOnce> {
  let answer: HttpAnswer;
  try {
    answer = await send(context, route, address, {
      nature: "single-use",
      ...(body && { body }),
      ...(query && { query }),
    });
  } catch (error) {
    if (error instanceof ServiceError && error.unclear) return { lost: error };
    throw error;
  }
  // A 500 is the service's own no; what a gateway answers says nothing.
  return answer.status > 500 ? { lost: errorFrom(context, answer, route, address), answer } : { answer };
}
