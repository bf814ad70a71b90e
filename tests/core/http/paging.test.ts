import { type ListRequest, listElements, type PageStyle, pages } from "../../../provider/core/http/paging";
import type { HttpAnswer, HttpRequest } from "../../../provider/core/http/request";
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

const elements = ({ json }: HttpAnswer): Json[] => {
  const list = isObject(json) ? json.data : json;
  return Array.isArray(list) ? list : [];
};

/** A list of numbered pages, each of one element; `next` decides what a page says of the following one. */
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

describe("a list by page numbers", () => {
  test("is read to its last page, in pages of a hundred", async () => {
    const server = await numbered(3);
    expect(await all(listing(server, { query: { q: "x" } }), BY_NUMBER)).toEqual([1, 2, 3]);
    expect(server.requests.map(({ url }) => decodeURIComponent(url))).toEqual(
      [1, 2, 3].map((page) => `/list?q=x&page[number]=${page}&page[size]=100`),
    );
  });

  test("is read no further than somebody wants", async () => {
    const server = await numbered(1_000_000);
    for await (const element of listElements(listing(server), BY_NUMBER, elements)) if (element === 2) break;
    expect(server.requests.length).toBe(2);
  });

  test("whose answer has no pagination is one page, but where it is to be read to its end", async () => {
    const server = await serve((response) => json(response, 200, { data: ["only"] }));
    expect(await all(listing(server), BY_NUMBER)).toEqual(["only"]);
    const error = await rejection(all(listing(server), { by: "number", toItsEnd: true }));
    expect(error).toMatchObject({ name: "UnexpectedAnswer", service: "workspaces", outcome: "notApplied" });
    expect(String(error)).toContain("answered a list that does not say whether there is more of it");
  });

  test("that is to be read to its end is read to the page that says that it is the last", async () => {
    const server = await numbered(3);
    expect(await all(listing(server), { by: "number", toItsEnd: true })).toEqual([1, 2, 3]);
  });

  test.each([
    ["itself", (page: number) => page],
    ["the first again", (page: number) => (page === 3 ? 1 : page + 1)],
  ])("that names %s as its next page is given up", async (_, next) => {
    const server = await numbered(9, next);
    const error = await rejection(all(listing(server), BY_NUMBER));
    expect(error).toMatchObject({ name: "UnexpectedAnswer", service: "workspaces", outcome: "notApplied" });
    expect(String(error)).toContain("so that its list would never end");
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });

  test("that serves the same page whatever is asked for is given up", async () => {
    const server = await serve((response) =>
      json(response, 200, { data: [1], meta: { pagination: { "current-page": 1, "next-page": 2 } } }),
    );
    expect(String(await rejection(all(listing(server), BY_NUMBER)))).toContain("answered page 1 for page 2");
  });
});

describe("a list by tokens", () => {
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

  test("is read until the header is absent", async () => {
    const server = await tokens((token) => ({ null: "a/b", "a/b": "c" })[String(token)]);
    expect(await all(listing(server), BY_TOKEN)).toEqual(["first", "a/b", "c"]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      "/list?per_page=2",
      "/list?per_page=2&next_token=a%2Fb",
      "/list?per_page=2&next_token=c",
    ]);
  });

  test("that names a token again is given up", async () => {
    const server = await tokens((token) => (token === "a" ? "b" : "a"));
    expect(await rejection(all(listing(server), BY_TOKEN))).toMatchObject({ name: "UnexpectedAnswer" });
    expect(server.requests.length).toBe(3);
  });
});

describe("any list", () => {
  test("that comes whole is asked for once, as it is", async () => {
    const server = await serve((response) => json(response, 200, [1, 2]));
    expect(await all(listing(server, { query: { list: "true" } }), { by: "whole" })).toEqual([1, 2]);
    expect(server.requests.map(({ url }) => url)).toEqual(["/list?list=true"]);
  });

  test("is a read, whatever its request says: a failing page is repeated", async () => {
    const server = await serve((response, _, count) => json(response, count === 1 ? 503 : 200, [1]));
    expect(await all(listing(server, { nature: "write" }), { by: "whole" })).toEqual([1]);
  });

  test.each([BY_NUMBER, BY_TOKEN, { by: "whole" } as const])(
    "whose page is refused ends with the caller's error (%j)",
    async (style) => {
      const server = await serve((response) => json(response, 404, {}));
      expect(String(await rejection(all(listing(server), style)))).toBe("Error: refused 404");
    },
  );

  test("asks for nothing before its first page is wanted", async () => {
    const server = await numbered(2);
    const generator = pages(listing(server), BY_NUMBER);
    expect(server.requests).toEqual([]);
    await generator.next();
    expect(server.requests.length).toBe(1);
  });
});
