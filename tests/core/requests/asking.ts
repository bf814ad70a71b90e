import { Redactor } from "../../../packages/redact";
import { type RequestOutcome, type ServiceError, serviceError } from "../../../provider/core/http/errors";
import type { HttpAnswer, HttpRequest } from "../../../provider/core/http/request";
import type { Connection, Service } from "../../../provider/core/language/service";
import type { RequestContext } from "../../../provider/core/language/stepInput";
import { formatJson, type Json } from "../../../provider/core/value/json";
import { harbour } from "../../generate/harbour";
import { type TestRuntime, testRuntime } from "../http/clients";

/** A service whose own errors are `{"error": …}`, and whose pages answer a berth after a POST. */
const service: Service = {
  ...harbour,
  answers: { POST: ["berth"], PUT: "true", DELETE: "nothing" },
  isOwnError: ({ text }) => text.startsWith('{"error"'),
  words: ({ text }) => text,
};

/** What a caller has who asks a service that answers as a test says; its time passes only by sleeping. */
export interface Asking {
  readonly context: RequestContext;
  readonly runtime: TestRuntime;
  readonly sent: HttpRequest[];
}

/** Milliseconds that the operation of a test may take. */
export const OPERATION_MS = 60_000;

/** A caller whose requests are answered, or fail, one after the other. */
export function asking(...answers: readonly (HttpAnswer | ServiceError)[]): Asking {
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

/** An answer with this body: JSON, or text as it stands where that is no JSON. */
export function answered(status: number, body?: Json, text = ""): HttpAnswer {
  return {
    status,
    headers: {},
    text: body === undefined ? text : formatJson(body),
    json: body,
    attempts: 1,
  };
}

/** What a client throws for a write that it got no answer to. */
export function unanswered(
  kind: "unclearAnswer" | "cancelled" | "unexpectedAnswer" | "unreachable",
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
