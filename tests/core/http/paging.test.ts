import { type ListRequest, listElements, type PageStyle, pages } from "../../../provider/core/http/paging";
import type { HttpRequest, HttpResponse } from "../../../provider/core/http/request";
import { isObject, type Json } from "../../../provider/core/value/json";
import { clientOf, closeClients, read, rejection } from "./clients";
import { json, serve, stopServers, type TestServer } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

const BY_NUMBER: PageStyle = { by: "number" };
const BY_TOKEN: PageStyle = { by: "token", header: "X-Sched-Nexttoken", size: 2 };

function listing(server: TestServer, request: Partial<HttpRequest> = {}): ListRequest {
  const client = clientOf(server.address);
  return {
    service: "workspaces",
    send: (sent) => client.send(sent),
    request: read({ path: "/list", ...request }),
    refused: ({ status }) => new Error(`refused ${status}`),
  };
}

const elements = ({ json }: HttpResponse): Json[] => {
  const list = isObject(json) ? json.data : json;
  return Array.isArray(list) ? list : [];
};

/** Serves a list of numbered pages of one element each; `next` sets the `next-page` of a page. */
function numbered(total: number, next = (page: number): number | null => (page < total ? page + 1 : null)) {
  return serve((response, { url }) => {
    const page = Number(new URL(url, "http://x").searchParams.get("page[number]"));
    json(response, 200, {
      data: [page],
      meta: { pagination: { "current-page": page, "next-page": next(page) } },
    });
  });
}

async function all(of: ListRequest, style: PageStyle): Promise<Json[]> {
  const result: Json[] = [];
  for await (const element of listElements(of, style, elements)) result.push(element);
  return result;
}

describe("list with page numbers", () => {
  test("is read to its last page with a page size of 100", async () => {
    const server = await numbered(3);
    expect(await all(listing(server, { query: { q: "x" } }), BY_NUMBER)).toEqual([1, 2, 3]);
    expect(server.requests.map(({ url }) => decodeURIComponent(url))).toEqual(
      [1, 2, 3].map((page) => `/list?q=x&page[number]=${page}&page[size]=100`),
    );
  });

  test("is read no further if the caller stops the iteration", async () => {
    const server = await numbered(1_000_000);
    for await (const element of listElements(listing(server), BY_NUMBER, elements)) if (element === 2) break;
    expect(server.requests.length).toBe(2);
  });

  test("without pagination is a single page, but UnexpectedAnswer if it must be read to its end", async () => {
    const server = await serve((response) => json(response, 200, { data: ["only"] }));
    expect(await all(listing(server), BY_NUMBER)).toEqual(["only"]);
    const error = await rejection(all(listing(server), { by: "number", toItsEnd: true }));
    expect(error).toMatchObject({ name: "UnexpectedAnswer", service: "workspaces", outcome: "notApplied" });
    expect(String(error)).toContain("returned a list without paging information");
  });

  test("that must be read to its end is read up to the page without a next page", async () => {
    const server = await numbered(3);
    expect(await all(listing(server), { by: "number", toItsEnd: true })).toEqual([1, 2, 3]);
  });

  test.each([
    ["itself", (page: number) => page],
    ["the first page", (page: number) => (page === 3 ? 1 : page + 1)],
  ])("is rejected if a page names %s as its next page", async (_, next) => {
    const server = await numbered(9, next);
    const error = await rejection(all(listing(server), BY_NUMBER));
    expect(error).toMatchObject({ name: "UnexpectedAnswer", service: "workspaces", outcome: "notApplied" });
    expect(String(error)).toContain("so the list would never end");
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });

  test("is rejected if the server returns the same page for every page number", async () => {
    const server = await serve((response) =>
      json(response, 200, { data: [1], meta: { pagination: { "current-page": 1, "next-page": 2 } } }),
    );
    expect(String(await rejection(all(listing(server), BY_NUMBER)))).toContain("returned page 1 for page 2");
  });
});

describe("list with page tokens", () => {
  const tokens = (next: (token: string | null) => string | undefined) =>
    serve((response, { url }) => {
      const token = new URL(url, "http://x").searchParams.get("next_token");
      const following = next(token);
      json(
        response,
        200,
        [token ?? "first"],
        following === undefined ? {} : { "X-Sched-Nexttoken": following },
      );
    });

  test("is read until the response has no token header", async () => {
    const server = await tokens((token) => ({ null: "a/b", "a/b": "c" })[String(token)]);
    expect(await all(listing(server), BY_TOKEN)).toEqual(["first", "a/b", "c"]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/list?per_page=2",
      "/list?per_page=2&next_token=a%2Fb",
      "/list?per_page=2&next_token=c",
    ]);
  });

  test("is rejected if a token repeats", async () => {
    const server = await tokens((token) => (token === "a" ? "b" : "a"));
    expect(await rejection(all(listing(server), BY_TOKEN))).toMatchObject({ name: "UnexpectedAnswer" });
    expect(server.requests.length).toBe(3);
  });
});

describe("list", () => {
  test("without pages is read with one unchanged request", async () => {
    const server = await serve((response) => json(response, 200, [1, 2]));
    expect(await all(listing(server, { query: { list: "true" } }), { by: "whole" })).toEqual([1, 2]);
    expect(server.requests.map(({ url }) => url)).toEqual(["/list?list=true"]);
  });

  test("retries a failed page even if its request is marked as a write", async () => {
    const server = await serve((response, _, count) => json(response, count === 1 ? 503 : 200, [1]));
    expect(await all(listing(server, { nature: "write" }), { by: "whole" })).toEqual([1]);
  });

  test.each([BY_NUMBER, BY_TOKEN, { by: "whole" } as const])(
    "throws the caller's error if the server rejects a page (%j)",
    async (style) => {
      const server = await serve((response) => json(response, 404, {}));
      expect(String(await rejection(all(listing(server), style)))).toBe("Error: refused 404");
    },
  );

  test("sends no request before its first page is read", async () => {
    const server = await numbered(2);
    const generator = pages(listing(server), BY_NUMBER);
    expect(server.requests).toEqual([]);
    await generator.next();
    expect(server.requests.length).toBe(1);
  });
});
