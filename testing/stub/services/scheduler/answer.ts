import type { StubRequest, StubResponse } from "../../service";
import { headerPrefix, toWire } from "./dialect";
import type { Endpoint, Outcome } from "./operation";
import type { Switches } from "./settings";

/** The answer to a request that succeeded, in the dialect that is switched on. */
export function respond(
  { body, index, nextToken }: Outcome,
  request: StubRequest,
  endpoint: Endpoint,
  switches: Switches,
): StubResponse {
  const prefix = headerPrefix(switches.dialect);
  const document = toWire(body, switches.dialect);
  const headers = {
    "content-type": "application/json",
    ...(endpoint.method === "GET" ? metaHeaders(index, switches) : { [`${prefix}-index`]: String(index) }),
    ...(nextToken === undefined ? {} : { [`${prefix}-nexttoken`]: nextToken }),
  };
  const isPretty = request.query.has("pretty") && request.query.get("pretty") !== "0";
  return {
    status: 200,
    headers,
    body: isPretty ? `${JSON.stringify(document, undefined, 4)}\n` : document,
  };
}

/** The rows "Blocking queries" and "Consistency": what a reader is told about its answer. */
export function metaHeaders(index: number, switches: Switches): Record<string, string> {
  const prefix = headerPrefix(switches.dialect);
  return {
    [`${prefix}-index`]: String(index),
    [`${prefix}-lastcontact`]: String(switches.lastContactMilliseconds),
    [`${prefix}-knownleader`]: String(switches.knownLeader),
  };
}
