import type { RawAnswer } from "./exchange";
import type { HttpRequest } from "./request";

/** How many redirects one request follows. */
export const MOST_REDIRECTS = 5;

/** Where a request goes: the URL's origin counts for the connection, `target` is what is sent. */
export interface Destination {
  readonly url: URL;
  readonly target: string;
  readonly method: HttpRequest["method"];
}

/**
 * Where a redirect leads, or undefined where it is not followed: none leads to another origin, of which nothing is
 * known. Reads without a body follow all others; everything else follows only 307 and 308, which repeat the request
 * as it is.
 */
export function redirected(
  from: Destination,
  request: HttpRequest,
  answer: RawAnswer,
): Destination | undefined {
  const { location } = answer.headers;
  if (location === undefined || !URL.canParse(location, from.url.href)) return undefined;
  const url = new URL(location, from.url);
  if (url.origin !== from.url.origin) return undefined;
  const free = request.nature === "read" && request.body === undefined && request.method !== "POST";
  const repeats = answer.status === 307 || answer.status === 308;
  const follows = repeats || (free && [301, 302, 303].includes(answer.status));
  if (!follows) return undefined;
  return { url, target: url.pathname + url.search, method: answer.status === 303 ? "GET" : from.method };
}
