import { STATUS_CODES } from "node:http";
import { MOST_TEXT, Redactor, type SecretSource } from "../../../packages/redact";
import type { HttpAnswer } from "./request";

const LONGEST = 500;

/** The part of a response that an error may quote: the server's message, or the title of an unexpected web page. */
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

/** Formats external text for a message: one line, no control characters, limited length. */
export function presentableWords(text: string): string {
  // Also removes characters that reorder or hide text, so that the message reads as displayed.
  const line = text
    .slice(0, MOST_TEXT)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = [...line.slice(0, 2 * LONGEST + 2)];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : line;
}

/** True if a response is a web page, from another product or from a proxy. */
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

/** Statuses that a gateway returns if the server behind it does not respond. */
const OF_GATEWAYS = new Set([502, 503, 504]);

/**
 * True if a response is a plain-text error in the service's own words, for services that report errors as plain text.
 * Gateways also send plain text, but it adds nothing to their status.
 */
export function isPlainTextError({ status, headers, text }: HttpAnswer): boolean {
  const words = text.trim();
  const isPlain =
    /^text\/plain\b/i.test(headers["content-type"] ?? "text/plain") && !isHtml({ headers, text });
  return isPlain && words !== "" && words !== STATUS_CODES[status] && !OF_GATEWAYS.has(status);
}
