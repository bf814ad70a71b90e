import { isHtml } from "../../provider/core/http/describe";
import type { HttpResponse } from "../../provider/core/http/request";
import type { Service } from "../../provider/core/language/service";
import type { Given } from "../../provider/core/requests/given";
import { isAbsent } from "../../provider/services/secrets/service";
import { productOf } from "./answers";
import { setCommand } from "./commands";
import type { Questions } from "./questions";
import { wordsOf } from "./questions/reading";
import { type Found, fail } from "./report";

/** A response that this product does not send for this path. */
export interface Stranger {
  readonly path: string;
  readonly answer: HttpResponse;
}

interface Answers {
  readonly given: Given;
  /** All responses so far. */
  readonly answers: readonly HttpResponse[];
  readonly stranger: Stranger | undefined;
  /** The response to a list, if one was requested and answered. */
  readonly list: HttpResponse | undefined;
}

/** The finding that the responses are from another product; undefined if they are from this one. */
export function otherProduct(
  service: Service,
  { product }: Questions,
  { given, answers, stranger, list }: Answers,
): Found | undefined {
  const isMarked = (answer: HttpResponse) => isHtml(answer) || productOf(answer, service.name) !== undefined;
  const marked = answers.find(isMarked);
  const isOwn = list !== undefined && isOwnAnswer(service, list);
  const other = marked ?? (isOwn ? undefined : stranger?.answer);
  if (other === undefined) return undefined;
  const name = productOf(other, service.name) ?? (isHtml(other) ? "a web page" : undefined);
  const path = marked === undefined ? stranger?.path : "";
  return fail(
    name === undefined
      ? `this is not ${product}: GET ${service.prefix}${path} answered ${wordsOf(other)}`
      : `this is not ${product}: ${name} answers`,
    setCommand(service, given, "address", "https://…"),
    `Set the address of ${product}.`,
  );
}

/** True if the response to a list is from this product. */
function isOwnAnswer(service: Service, answer: HttpResponse): boolean {
  if (answer.status === 200) return answer.json !== undefined;
  const isRefused = answer.status === 401 || answer.status === 403;
  return isAbsent(answer) || (isRefused && !isHtml(answer) && service.isOwnError(answer));
}
