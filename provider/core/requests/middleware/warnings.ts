import type { HttpAnswer, HttpRequest } from "../../http/request";
import type { Service } from "../../language/service";
import type { RequestContext } from "../../language/stepInput";
import { isSuccess } from "../observe";
import type { Middleware } from ".";

/** Logs every warning of a successful response, each text once per operation. */
export function logWarnings({ log, redactor }: Pick<RequestContext, "log" | "redactor">): Middleware {
  const logged = new Set<string>();
  return (next) => async (request) => {
    const answer = await next(request);
    const { mask = (text: string) => text, warnings = [] } = answer;
    for (const warning of warnings) {
      const text = redactor.mask(mask(`the server warns: ${warning.text}`));
      if (logged.has(text)) continue;
      logged.add(text);
      log("warning", text);
    }
    return answer;
  };
}

/** The wire names of the members that the server reports as ignored or changed. */
export function ignoredFields({ warnings = [] }: Pick<HttpAnswer, "warnings">): string[] {
  return [...new Set(warnings.flatMap(({ notTaken = [] }) => notTaken))];
}

/** Adds the warnings of the service to its responses. */
export function readWarnings(service: Service): Middleware {
  return (next) => async (request) => withWarnings(service, request, await next(request));
}

/** A response with the warnings that the service reports in it. */
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
