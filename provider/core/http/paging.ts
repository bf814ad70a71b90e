import { isObject, type Json } from "../value/json";
import { serviceError } from "./errors";
import { type HttpRequest, type HttpResponse, isSuccess, maskText } from "./request";

/** How a service paginates its lists. */
export type PageStyle =
  /** JSON:API: `page[number]` and `page[size]` in the query, `meta.pagination.next-page` in the response. */
  | {
      readonly by: "number";
      readonly size?: number;
      /**
       * True if each page must report whether another page follows, because the caller needs proof that the list lacks an
       * object. Otherwise, a page without that report is the only page: servers of 2021 had lists without pages.
       */
      readonly toItsEnd?: boolean;
    }
  /** The response header of that name contains the next page's token, `next_token` in the query; `per_page` is the size. */
  | {
      readonly by: "token";
      readonly header: string;
      readonly size?: number;
    }
  /** One response contains the complete list. */
  | { readonly by: "whole" };

/** A list to read. */
export interface ListRequest {
  /** The `send` of the client or of the connection. */
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
  /** The request for the list. It is always sent as a read. */
  readonly request: HttpRequest;
  /** The service's name, for messages. */
  readonly service: string;
  /** Creates the error of a page whose status is not 2xx. */
  readonly refused: (answer: HttpResponse) => Error;
}

/** One page of a list. */
export interface Page {
  readonly answer: HttpResponse;
  /** The service's identifier of the next page; undefined on the last page. */
  readonly next?: string | undefined;
  /** The number of pages, if a page with a successor reports it. */
  readonly pages?: number;
}

/**
 * Reads the pages of a list, each only when it is needed.
 * @throws the error from `refused` for an unsuccessful response; UnexpectedAnswer if the service would make the client read
 * the same page forever, or if a list that must be read to its end does not report whether it continues.
 */
export async function* pages(
  listing: ListRequest,
  style: PageStyle,
): AsyncGenerator<HttpResponse, void, void> {
  const seen = new Set<string | undefined>();
  let at: string | undefined;
  do {
    const { answer, next } = await pageAt(listing, style, at);
    yield answer;
    if (next !== undefined && seen.has(next)) throw endless(listing, answer, nextPageTwice(next));
    seen.add(next);
    at = next;
  } while (at !== undefined);
}

/**
 * Reads one page of a list.
 * @param at the previous page's identifier of this page; undefined for the first page
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
 * Reads the elements of a list, page by page; `elements` extracts them from a page.
 * @throws as `pages` does; UnexpectedAnswer if `elements` throws a TypeError because a page contains no list
 */
export async function* listElements<Element extends Json>(
  listing: ListRequest,
  style: PageStyle,
  elements: (page: HttpResponse) => readonly Element[],
): AsyncGenerator<Element, void, void> {
  for await (const answer of pages(listing, style)) {
    let found: readonly Element[];
    try {
      found = elements(answer);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw unlikeList(
        listing,
        answer,
        `returned ${answer.status} with a response that is not a list: ${error.message}`,
      );
    }
    yield* found;
  }
}

/**
 * The elements of a list in a response. The value may be null if the list is empty.
 * @throws TypeError if the value is not a list: it must not be read as an empty list.
 */
export function elementsIn(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value;
  if (value === null) return [];
  throw new TypeError("the response contains no list");
}

/** The maximum page size that the specification allows. */
export const LARGEST_PAGE = 100;

async function numberedPage(
  listing: ListRequest,
  { size = LARGEST_PAGE, toItsEnd = false }: PageStyle & { by: "number" },
  number: number,
): Promise<Page> {
  const answer = await page(listing, { "page[number]": String(number), "page[size]": String(size) });
  const meta = isObject(answer.json) && isObject(answer.json.meta) ? answer.json.meta.pagination : undefined;
  const { "current-page": current, "next-page": next, "total-pages": total } = isObject(meta) ? meta : {};
  if (typeof current === "number" && current !== number)
    throw endless(listing, answer, `page ${current} for page ${number}`);
  if (toItsEnd && typeof next !== "number" && next !== null)
    throw unlikeList(listing, answer, "returned a list without paging information");
  if (typeof next !== "number") return { answer };
  if (next <= number) throw endless(listing, answer, `page ${next} as the page after ${number}`);
  return { answer, next: String(next), ...(typeof total === "number" && { pages: total }) };
}

async function tokenPage(
  listing: ListRequest,
  { header, size = LARGEST_PAGE }: PageStyle & { by: "token" },
  token: string | undefined,
): Promise<Page> {
  const answer = await page(listing, { per_page: String(size), next_token: token });
  const next = answer.headers[header.toLowerCase()] || undefined;
  if (next !== undefined && next === token) throw endless(listing, answer, nextPageTwice(next));
  return { answer, next };
}

async function page(listing: ListRequest, query: HttpRequest["query"]): Promise<HttpResponse> {
  const { request } = listing;
  const answer = await listing.send({ ...request, nature: "read", query: { ...request.query, ...query } });
  if (!isSuccess(answer)) throw listing.refused(answer);
  return answer;
}

const nextPageTwice = (token: string) => `the token ${JSON.stringify(token)} twice`;

const endless = (listing: ListRequest, answer: HttpResponse, what: string) =>
  unlikeList(listing, answer, `returned ${what}, so the list would never end`);

function unlikeList({ request, service }: ListRequest, answer: HttpResponse, event: string): Error {
  const { status, attempts, ids } = answer;
  return serviceError("unexpectedAnswer", {
    service,
    method: request.method,
    path: maskText(answer, request.path),
    status,
    event: maskText(answer, event),
    advice: "Check caches and proxies on the way, and report the problem to the server's operator.",
    attempts,
    ids,
  });
}
