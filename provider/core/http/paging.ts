import { isObject, type Json } from "../value/json";
import { serviceError } from "./errors";
import type { HttpAnswer, HttpRequest } from "./request";

/** How a service divides its lists. */
export type PageStyle =
  /** JSON:API: `page[number]` and `page[size]` in the query, `meta.pagination.next-page` in the answer. */
  | {
      readonly by: "number";
      readonly size?: number;
      /**
       * Whether each page must say if there is another one, because what the list lacks is to be proven. Elsewhere a page
       * that does not say is the only one: servers of 2021 had lists without pages.
       */
      readonly toItsEnd?: boolean;
    }
  /** The answer's header of that name holds the next page's token, which goes into the query. */
  | {
      readonly by: "token";
      readonly header: string;
      /** `next_token` where nothing else is said. */
      readonly tokenParameter?: string;
      /** `per_page` where nothing else is said. */
      readonly sizeParameter?: string;
      readonly size?: number;
    }
  /** The list comes whole. */
  | { readonly by: "whole" };

/** One list to be read. */
export interface ListRequest {
  /** The client's or the connection's own. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>;
  /** The request for the list; it is sent as a read whatever it says. */
  readonly request: HttpRequest;
  /** The service's name, for messages. */
  readonly service: string;
  /** The error of a page whose status is not 2xx. */
  readonly refused: (answer: HttpAnswer) => Error;
}

/** One page of a list. */
export interface Page {
  readonly answer: HttpAnswer;
  /** What its service calls the next page; nothing where this is the last. */
  readonly next?: string | undefined;
}

/**
 * The pages of a list, each asked for only when it is needed.
 * @throws what `refused` makes of an answer that is no success; UnexpectedAnswer where a service would make us
 * read the same page for ever, or where a list that is to be read to its end does not say whether it goes on.
 */
export async function* pages(listing: ListRequest, style: PageStyle): AsyncGenerator<HttpAnswer, void, void> {
  const seen = new Set<string>();
  let at: string | undefined;
  do {
    const { answer, next } = await pageAt(listing, style, at);
    yield answer;
    if (next !== undefined && seen.has(next)) throw endless(listing, answer, nextPageTwice(next));
    if (next !== undefined) seen.add(next);
    at = next;
  } while (at !== undefined);
}

/**
 * One page of a list.
 * @param at what the page before it called this one; the first where nothing is said
 * @throws as `pages` does
 */
export async function pageAt(listing: ListRequest, style: PageStyle, at: string | undefined): Promise<Page> {
  switch (style.by) {
    case "number":
      return numberedPage(listing, style, at === undefined ? 1 : Number(at));
    case "token":
      return tokenPage(listing, style, at);
    case "whole":
      return { answer: await page(listing, {}) };
  }
}

/**
 * The elements of a list, page by page; `elements` takes them out of a page.
 * @throws as `pages` does; UnexpectedAnswer where `elements` finds no list in a page, and throws a TypeError
 */
export async function* listed<Element extends Json>(
  listing: ListRequest,
  style: PageStyle,
  elements: (page: HttpAnswer) => readonly Element[],
): AsyncGenerator<Element, void, void> {
  for await (const answer of pages(listing, style)) yield* elementsOf(listing, answer, elements);
}

function elementsOf<Element extends Json>(
  listing: ListRequest,
  answer: HttpAnswer,
  elements: (page: HttpAnswer) => readonly Element[],
): readonly Element[] {
  try {
    return elements(answer);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw unlike(listing, answer, `answered ${answer.status} with what is no list: ${error.message}`);
  }
}

/**
 * The elements of a list in an answer, which may be null where there is nothing in it.
 * @throws TypeError for what is no list: it must not read as an empty one.
 */
export function elementsIn(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  if (value === null) return [];
  throw new TypeError("the answer holds no list");
}

/** What the specification allows a page to hold. */
export const LARGEST_PAGE = 100;

async function numberedPage(
  listing: ListRequest,
  { size = LARGEST_PAGE, toItsEnd = false }: PageStyle & { by: "number" },
  number: number,
): Promise<Page> {
  const answer = await page(listing, { "page[number]": String(number), "page[size]": String(size) });
  const { current, next } = pagination(answer.json);
  if (current !== undefined && current !== number)
    throw endless(listing, answer, `page ${current} for page ${number}`);
  if (toItsEnd && next === undefined)
    throw unlike(listing, answer, "answered a list that does not say whether there is more of it");
  if (next === undefined || next === null) return { answer };
  if (next <= number) throw endless(listing, answer, `page ${next} as the one after page ${number}`);
  return { answer, next: String(next) };
}

async function tokenPage(
  listing: ListRequest,
  {
    header,
    tokenParameter = "next_token",
    sizeParameter = "per_page",
    size = LARGEST_PAGE,
  }: PageStyle & { by: "token" },
  token: string | undefined,
): Promise<Page> {
  const answer = await page(listing, { [sizeParameter]: String(size), [tokenParameter]: token });
  const next = answer.headers[header.toLowerCase()] || undefined;
  if (next !== undefined && next === token) throw endless(listing, answer, nextPageTwice(next));
  return { answer, next };
}

function nextPageTwice(token: string): string {
  return `the token ${JSON.stringify(token)} twice`;
}

async function page(listing: ListRequest, query: HttpRequest["query"]): Promise<HttpAnswer> {
  const { request } = listing;
  const answer = await listing.send({ ...request, nature: "read", query: { ...request.query, ...query } });
  if (answer.status < 200 || answer.status > 299) throw listing.refused(answer);
  return answer;
}

/** Which page this is, and which comes next: null where it is the last. */
function pagination(json: Json | undefined): {
  current?: number | undefined;
  next?: number | null | undefined;
} {
  const meta = isObject(json) && isObject(json.meta) ? json.meta.pagination : undefined;
  const { "current-page": current, "next-page": next } = isObject(meta) ? meta : {};
  return {
    current: typeof current === "number" ? current : undefined,
    next: typeof next === "number" || next === null ? next : undefined,
  };
}

function endless(listing: ListRequest, answer: HttpAnswer, what: string): Error {
  return unlike(listing, answer, `answered ${what}, so that its list would never end`);
}

function unlike({ request, service }: ListRequest, answer: HttpAnswer, event: string): Error {
  const mask = answer.mask ?? ((text: string) => text);
  return serviceError("unexpectedAnswer", {
    service,
    method: request.method,
    path: mask(request.path),
    status: answer.status,
    event: mask(event),
    advice:
      "See what stands between us and the service (a cache, a proxy), and report it to the service's keeper.",
    attempts: answer.attempts,
    ids: answer.ids,
    unclear: false,
  });
}
