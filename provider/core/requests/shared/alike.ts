import type { HttpAnswer } from "../../http/request";
import type { Address } from "../../language/object";
import type { Route } from "../../language/route";
import type { RequestContext } from "../../language/stepInput";
import { isSuccess } from "../observe";
import { filledPath, realmHeaders, send } from "../send";
import { waited, withinTime } from "./waiting";

/**
 * Sends a read that others of the same refresh send too: once for all of them. Only a success is shared; who is refused,
 * or waits for one that was, asks for itself.
 */
export async function sendAlike(
  context: RequestContext,
  route: Route,
  address: Address,
): Promise<HttpAnswer> {
  const { shared, connection } = context;
  const own = () => send(context, route, address, { nature: "read" });
  if (shared === undefined) return own();
  const key = JSON.stringify([
    "alike",
    connection.name,
    filledPath(route.path, address, connection),
    realmHeaders(connection, address),
  ]);
  const kept = shared.kept(key, (): { answer?: Promise<HttpAnswer> } => ({}));
  if (kept.answer === undefined) {
    kept.answer = own();
    return kept.answer;
  }
  const { answer: begun } = kept;
  const answer = await withinTime(context, (ended) => waited(begun, ended));
  return answer !== undefined && isSuccess(answer) ? answer : own();
}
