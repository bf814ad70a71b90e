import { STATUS_CODES } from "node:http";
import { MOST_TEXT, Redactor, type SecretSource } from "../../../packages/redact";
import type { HttpAnswer } from "./request";

const LONGEST = 500;

/** What an error may quote of an answer: the service's words, or the title of the web page that came instead. */
export function describeWords(
  answer: HttpAnswer,
  words: (answer: HttpAnswer) => string,
  secrets: SecretSource = [],
): { readonly words: string; readonly html: boolean } {
  const html = isHtml(answer);
  const own = html ? `a web page${pageTitle(answer.text)}` : words(answer);
  const masked = new Redactor(secrets).mask(answer.mask?.(own) ?? own);
  return { words: presentableWords(masked), html };
}

/** Text from elsewhere as it may stand in a message: on one line, without control characters, not endless. */
export function presentableWords(text: string): string {
  // Also what reorders or hides text: a message must read as it is.
  const line = text
    .slice(0, MOST_TEXT)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = [...line.slice(0, 2 * LONGEST + 2)];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : line;
}

/** Whether an answer is a web page: another product's, or a proxy's. */
export function isHtml({ headers, text }: Pick<HttpAnswer, "headers" | "text">): boolean {
  return (
    /\bhtml\b/i.test(headers["content-type"] ?? "") || /^\s*<(!doctype html|html)\b/i.test(text.slice(0, 200))
  );
}

function pageTitle(text: string): string {
  const head = text.slice(0, 20_000);
  const tag = head.search(/<title/i);
  const start = tag < 0 ? 0 : head.indexOf(">", tag) + 1;
  const title = start === 0 ? "" : (head.slice(start).split("<", 1)[0] ?? "").trim();
  return title ? ` with the title ${JSON.stringify(title)}` : "";
}

/** Statuses with which a gateway reports that the server behind it does not answer. */
const OF_GATEWAYS = new Set([502, 503, 504]);

/**
 * Whether an answer is an error in a service's own words, for services that write their errors as plain text. Gateways
 * write plain text, too; they explain nothing beyond their status.
 */
export function isPlainTextError({ status, headers, text }: HttpAnswer): boolean {
  const words = text.trim();
  const isPlain =
    /^text\/plain\b/i.test(headers["content-type"] ?? "text/plain") && !isHtml({ headers, text });
  return isPlain && words !== "" && words !== STATUS_CODES[status] && !OF_GATEWAYS.has(status);
}
