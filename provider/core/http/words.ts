import { Redactor } from "./redact";
import type { HttpAnswer } from "./request";

const LONGEST = 500;

/** What an error may quote of an answer: the service's words, or the title of the web page that came instead. */
export function describeWords(
  answer: HttpAnswer,
  words: (answer: HttpAnswer) => string,
  secrets: readonly string[] = [],
): { readonly words: string; readonly html: boolean } {
  const html = isHtml(answer);
  const own = html ? `a web page${pageTitle(answer.text)}` : words(answer);
  const masked = new Redactor(secrets).mask(answer.mask?.(own) ?? own);
  return { words: presentableWords(masked), html };
}

/** Text from elsewhere as it may stand in a message: on one line, without control characters, not endless. */
export function presentableWords(text: string): string {
  // Also what reorders or hides text: a message must read as it is.
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
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
  const title = /<title[^>]*>([^<]*)/i.exec(text.slice(0, 20_000))?.[1]?.trim();
  return title ? ` with the title ${JSON.stringify(title)}` : "";
}
