import type { StubRequest, StubResponse } from "../../service";
import { headerPrefix, toWire } from "./dialect";
import type { Endpoint, Outcome } from "./operation";
import type { Switches } from "./settings";

/** The response to a successful request, in the selected dialect. */
export function respond(
  { body, status = 200, index, nextToken }: Outcome,
  request: StubRequest,
  endpoint: Endpoint,
  switches: Switches,
): StubResponse {
  const prefix = headerPrefix(switches.dialect);
  const document = toWire(body, switches.dialect);
  const headers = {
    // Nomad sets the type too late for an error's status, so that only a success has it.
    ...(body !== undefined && { "content-type": status < 300 ? "application/json" : "" }),
    ...(endpoint.method === "GET" ? metaHeaders(index, switches) : { [`${prefix}-index`]: String(index) }),
    ...(nextToken === undefined ? {} : { [`${prefix}-nexttoken`]: nextToken }),
  };
  if (body === undefined) return { status, headers };
  const isPretty = request.query.has("pretty") && request.query.get("pretty") !== "0";
  return {
    status,
    headers,
    body: isPretty ? `${JSON.stringify(document, undefined, 4)}\n` : document,
  };
}

/** The rows "Blocking queries" and "Consistency": the headers that describe a response's index and age. */
export function metaHeaders(index: number, switches: Switches): Record<string, string> {
  const prefix = headerPrefix(switches.dialect);
  return {
    [`${prefix}-index`]: String(index),
    [`${prefix}-lastcontact`]: String(switches.lastContactMilliseconds),
    [`${prefix}-knownleader`]: String(switches.knownLeader),
  };
}
