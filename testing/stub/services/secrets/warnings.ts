import type { StubRequest, StubResponse } from "../../service";
import { isRecord } from "./fields";
import { furtherFieldsOf } from "./further-fields";
import type { Endpoint, Operation, Verb } from "./operation";

/**
 * An answer with what the service warns of in the request: parameters that the endpoint does not know, and those that its
 * path says. Only an answer with a body has room for that: one without says nothing of what it ignored.
 */
export function warned<Op extends Operation>(
  response: StubResponse,
  operation: Op,
  { params, endpoint }: Asked<Op>,
): StubResponse {
  const { body } = response;
  if (response.status !== 200 || !isRecord(body) || !("warnings" in body)) return response;
  const { verb, request } = operation;
  const { parameters = isRead(verb) ? [] : undefined } = endpoint;
  if (parameters === undefined) return response;
  const given = givenIn(request, verb);
  const further = Object.entries(furtherFieldsOf(endpoint, operation)).flatMap(([name, { kind }]) =>
    kind === "read-only" ? [] : [name],
  );
  const known = new Set([...parameters, ...Object.keys(params), ...further]);
  const ignored = given.filter((name) => !known.has(name)).sort();
  const replaced = given.filter((name) => params[name] !== undefined);
  const own = Array.isArray(body.warnings) ? body.warnings : [];
  const warnings = [
    ...own,
    ...(ignored.length > 0 ? [`${IGNORED}: [${ignored.join(" ")}]`] : []),
    ...(replaced.length > 0 ? [`${REPLACED}: [${replaced.join(" ")}]`] : []),
  ];
  return warnings.length === 0 ? response : { ...response, body: { ...body, warnings } };
}

interface Asked<Op extends Operation> {
  readonly params: Readonly<Record<string, string>>;
  readonly endpoint: Endpoint<Op>;
}

/** The product's words. */
const IGNORED = "Endpoint ignored these unrecognized parameters";
const REPLACED =
  "Endpoint replaced the value of these parameters with the values captured from the endpoint's path";

const isRead = (verb: Verb) => verb === "read" || verb === "list";

/** The names of what a request gives: in a body, or in the query, of which the service itself takes `list` and `help`. */
function givenIn(request: StubRequest, verb: Verb): string[] {
  if (verb === "write") {
    const body = request.body.length === 0 ? {} : request.json();
    return isRecord(body) ? Object.keys(body) : [];
  }
  const names = [...request.query.keys()].filter((name) => name !== "help");
  return verb === "list" ? names.filter((name) => name !== "list") : names;
}
