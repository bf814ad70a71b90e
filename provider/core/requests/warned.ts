import type { HttpAnswer, HttpRequest } from "../http/request";
import type { Connection } from "../language/connection";
import type { Service } from "../language/service";
import type { RequestContext } from "../language/stepInput";
import { isSuccess } from "./observe";

/**
 * The connection of a step or a function, which tells whatever its service warns of in a success: each text once. All
 * requests go through it, so that nothing else has to look for warnings.
 */
export function tellingWarnings({
  connection,
  log,
  redactor,
}: Pick<RequestContext, "connection" | "log" | "redactor">): Connection {
  const told = new Set<string>();
  return {
    ...connection,
    send: async (request) => {
      const answer = await connection.send(request);
      const { mask = (text: string) => text, warnings = [] } = answer;
      for (const warning of warnings) {
        const text = redactor.mask(mask(`the service warns: ${warning.text}`));
        if (told.has(text)) continue;
        told.add(text);
        log("warning", text);
      }
      return answer;
    },
  };
}

/** What was sent, by the wire's names, and was not taken as it was sent, by the service's own word. */
export function notTakenBy({ warnings = [] }: Pick<HttpAnswer, "warnings">): string[] {
  return [...new Set(warnings.flatMap(({ notTaken = [] }) => notTaken))];
}

/** An answer with what its service warns of in it. */
export function withWarnings(service: Service, request: HttpRequest, answer: HttpAnswer): HttpAnswer {
  const { sentBack = [] } = request;
  const all = isSuccess(answer) ? (service.warnings?.(answer, request) ?? []) : [];
  const warnings = all.flatMap((warning) => {
    const { notTaken } = warning;
    const own = notTaken?.filter((name) => !sentBack.includes(name));
    if (notTaken === undefined || own === undefined || own.length === notTaken.length) return [warning];
    return own.length === 0 ? [] : [{ ...warning, notTaken: own }];
  });
  return warnings.length === 0 ? answer : { ...answer, warnings };
}
