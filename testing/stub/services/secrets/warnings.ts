import type { StubRequest, StubResponse } from "../../service";
import { isRecord } from "./fields";
import { furtherFieldsOf } from "./further-fields";
import type { Endpoint, Operation, Verb } from "./operation";

/**
 * Adds the server's warnings on parameters: those unknown to the endpoint, and those that repeat its path. Only a response
 * with a body can contain warnings; other responses ignore parameters without a warning.
 */
export function addWarnings<Op extends Operation>(
  response: StubResponse,
  operation: Op,
  { params, endpoint }: Asked<Op>,
): StubResponse {
  const { body } = response;
  if (response.status !== 200 || !isRecord(body) || !("warnings" in body)) return response;
  const { verb, request } = operation;
  const { parameters = isRead(verb) ? [] : undefined } = endpoint;
  if (parameters === undefined) return response;
  const given = parameterNames(request, verb);
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

/** Vault's wording. */
const IGNORED = "Endpoint ignored these unrecognized parameters";
const REPLACED =
  "Endpoint replaced the value of these parameters with the values captured from the endpoint's path";

const isRead = (verb: Verb) => verb === "read" || verb === "list";

/** The names of a request's parameters: in a body, or in the query, whose `list` and `help` belong to the server. */
function parameterNames(request: StubRequest, verb: Verb): string[] {
  if (verb === "write") {
    const body = request.body.length === 0 ? {} : request.json();
    return isRecord(body) ? Object.keys(body) : [];
  }
  const names = [...request.query.keys()].filter((name) => name !== "help");
  return verb === "list" ? names.filter((name) => name !== "list") : names;
}
