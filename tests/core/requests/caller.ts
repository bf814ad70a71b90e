import { Redactor } from "../../../packages/redact";
import { type RequestOutcome, type ServiceError, serviceError } from "../../../provider/core/http/errors";
import type { HttpRequest, HttpResponse } from "../../../provider/core/http/request";
import type { Connection, Service } from "../../../provider/core/language/service";
import type { RequestContext } from "../../../provider/core/language/stepInput";
import { formatJson, type Json } from "../../../provider/core/value/json";
import { exampleService } from "../../generate/exampleDefinition";
import { type TestRuntime, testRuntime } from "../http/clients";

/** A service whose own errors are `{"error": …}`, and whose documented response to a POST is a berth. */
const service: Service = {
  ...exampleService,
  expectedResponses: { POST: ["berth"], PUT: "true", DELETE: "nothing" },
  isOwnError: ({ text }) => text.startsWith('{"error"'),
  errorMessage: ({ text }) => text,
};

/** The context of a caller whose service gives predefined responses, and whose clock advances only by sleeping. */
export interface Caller {
  readonly context: RequestContext;
  readonly runtime: TestRuntime;
  readonly sent: HttpRequest[];
}

/** The time limit of the operation of a test, in milliseconds. */
export const OPERATION_MS = 60_000;

/** Creates a caller whose requests get these responses or errors in order. */
export function createCaller(...answers: readonly (HttpResponse | ServiceError)[]): Caller {
  const runtime = testRuntime();
  const sent: HttpRequest[] = [];
  const connection: Connection = {
    service,
    aliases: [],
    settings: {},
    dialect: { headers: {} },
    runtime,
    redactor: new Redactor(),
    send: async (request) => {
      sent.push(request);
      const next = answers[sent.length - 1];
      if (next === undefined) throw new Error("it was not expected to ask again");
      if (next instanceof Error) throw next;
      return next;
    },
  };
  const context: RequestContext = {
    connection,
    log: () => undefined,
    label: { definition: "harbour:Quay", step: "create" },
    redactor: new Redactor(),
    deadline: runtime.now() + OPERATION_MS,
  };
  return { context, runtime, sent };
}

/** A response with this JSON body, or with this text if there is no JSON. */
export function answered(status: number, body?: Json, text = ""): HttpResponse {
  return {
    status,
    headers: {},
    text: body === undefined ? text : formatJson(body),
    json: body,
    attempts: 1,
  };
}

/** The error that a client throws for a write without a response. */
export function unanswered(
  kind: "unclearAnswer" | "canceled" | "unexpectedAnswer" | "unreachable",
  event: string,
  outcome: RequestOutcome = "unknown",
): ServiceError {
  return serviceError(kind, {
    service: "harbour",
    method: "POST",
    path: "/v1/quays",
    event,
    advice: "",
    attempts: 1,
    outcome,
  });
}
