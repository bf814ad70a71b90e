// What a server's responses show to the doctor.

import type { HttpResponse } from "../../provider/core/http/request";
import { MAX_CLOCK_SKEW_MS } from "../../provider/core/language/creation";
import type { Dialect, Service } from "../../provider/core/language/service";
import { isAbsent } from "../../provider/services/secrets/service";
import { QUESTIONS } from "./questions";
import { type Found, fail, ok, warn } from "./report";

/** A response's own message, shortened. */
export const presentWords = (service: Service, answer: HttpResponse) =>
  (answer.mask ?? ((text: string) => text))(service.errorMessage(answer)).slice(0, 200);

/** True if the server shows the list, and left out no entries because of the token's permissions. */
export function isCompleteList(answer: HttpResponse, dialect: Dialect): boolean {
  const isNone = answer.status === 404 && isAbsent(answer);
  return isNone || (answer.status === 200 && !isFiltered(answer, dialect));
}

/** True if the server left out entries that the token may not read. */
export function isFiltered(answer: HttpResponse, { headers: { filtered = "" } }: Dialect): boolean {
  return answer.headers[filtered.toLowerCase()] === "true";
}

/** The name of the other product that a response comes from. */
export function productOf(answer: HttpResponse, own: string): string | undefined {
  return Object.entries(QUESTIONS).find(([name, { isProduct }]) => name !== own && isProduct(answer))?.[1]
    .product;
}

/** True if a response has a header of a dialect that the current dialect does not have. */
export function hasHeadersOf({ headers }: HttpResponse, dialect: Dialect | undefined, own: Dialect): boolean {
  const others = Object.values(dialect?.headers ?? {}).filter(
    (name) => !Object.values(own.headers).includes(name),
  );
  return others.some((name) => headers[name.toLowerCase()] !== undefined);
}

/** Judges an address by its encryption. */
export function judgeAddress(text: string): Found {
  const { protocol, hostname } = new URL(text);
  const isNear = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === "https:") return ok(`${text}, encrypted`);
  if (isNear) return ok(`${text}, on this machine`);
  return warn(`${text}: plain text, which shows the token to the network`, "Use https.");
}

/** The apparent difference of two equal clocks: a server's time has whole seconds, and a response takes time. */
const SEEMING_MS = 2000;

/**
 * Judges the difference of the clocks.
 * @param apart milliseconds by which the server is ahead
 */
export function judgeClock(apart: number): Found {
  if (Math.abs(apart) < SEEMING_MS) return ok("the same as this machine's");
  const seconds = Math.round(Math.abs(apart) / 1000);
  const message = `${seconds} s ${apart > 0 ? "ahead of" : "behind"} this machine's`;
  return Math.abs(apart) > MAX_CLOCK_SKEW_MS
    ? fail(
        message,
        "timedatectl status",
        "Synchronize both clocks: new objects are recognized by their time.",
      )
    : ok(message);
}
