import { once } from "node:events";
import { connect } from "node:tls";
import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { maskHeaders } from "../../stub/frame/masking";
import { RequestLog } from "../../stub/frame/request-log";
import { Router } from "../../stub/frame/router";
import { START, withEcho } from "./frame/echo";
import { RawClient } from "./frame/raw";

async function get(address: string, path: string, headers: Record<string, string> = {}) {
  const response = await request(address + path, { headers });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
}

describe("Routes of a stub service", () => {
  test.each([
    ["/item/a%2Fb", { item: "a/b" }],
    ["/item/a%2Fb/part/c%2fd%20e", { id: "a/b", part: "c/d e" }],
    ["/item/%E2%82%AC", { item: "€" }],
    ["/item/a+b", { item: "a+b" }],
    ["/item/special", { item: "the special one" }],
    ["/item/special/part/x", { id: "special", part: "x" }],
  ])("decodes the parameters of %s segment by segment", (path, expected) =>
    withEcho(async ({ address }) => {
      expect(JSON.parse((await get(address, path)).text)).toEqual(expected);
    }),
  );

  test("a wildcard parameter contains the decoded rest of the path, and `path` contains the path as sent", () =>
    withEcho(async ({ address }) => {
      const { text } = await get(address, "/echo/a%2Fb/c?x=1&x=2&y=%26");
      expect(JSON.parse(text)).toMatchObject({
        path: "/echo/a%2Fb/c",
        params: { path: "a/b/c" },
        query: [
          ["x", "1"],
          ["x", "2"],
          ["y", "&"],
        ],
      });
    }));

  test.each(["/item", "/item/", "/item/a/", "/item//part/x", "/other", "/"])(
    "GET %s returns the 404 response of the service",
    (path) =>
      withEcho(async ({ address }) => {
        expect(await get(address, path)).toMatchObject({ status: 404, text: `no GET ${path}` });
      }),
  );

  test("returns 404 for a method that the path does not support", () =>
    withEcho(async ({ address }) => {
      const { statusCode } = await request(`${address}/item/a`, { method: "PATCH" });
      expect(statusCode).toBe(404);
    }));

  test("returns the 400 response of the service for an invalid percent-encoding in the path", () =>
    withEcho(async ({ port }) => {
      const client = new RawClient(port);
      await client.send("GET /item/50%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      expect(await client.closed()).toMatch(/^HTTP\/1\.1 400 .*bad: the path's segment "50%zz"/s);
    }));

  test("falls back to a wildcard route if the route with a named segment does not match", () => {
    const router = new Router([
      { method: "GET", path: "/:a/literal" },
      { method: "GET", path: "/:rest*" },
      { method: "PUT", path: "/x/literal" },
    ]);
    expect(router.find("GET", "/x/other")).toEqual({
      route: { method: "GET", path: "/:rest*" },
      params: { rest: "x/other" },
    });
    expect(router.find("GET", "/x/literal")?.params).toEqual({ a: "x" });
    expect(router.find("GET", "/")?.params).toEqual({ rest: "" });
    expect(router.find("DELETE", "/x/literal")).toBeUndefined();
  });
});

describe("Request and response bodies", () => {
  test("integers above 2^53 keep all digits in requests and responses", () =>
    withEcho(async ({ address }) => {
      expect((await get(address, "/integers")).text).toBe('{"hash":18446744073709551615,"list":[1,2]}');
      const sent = '{"a":9007199254740993,"b":-9223372036854775808,"c":1.5,"d":7,"e":1e3}';
      const response = await request(`${address}/json`, { method: "POST", body: sent });
      expect(await response.body.text()).toBe(
        '{"got":{"a":9007199254740993,"b":-9223372036854775808,"c":1.5,"d":7,"e":1000}}',
      );
    }));

  test.each([
    ["{", "bad: the body is not JSON"],
    ['{"secret": canary}', "bad: the body is not JSON"],
    ["9007199254740993,", "bad: the body is not JSON"],
    ["", "bad: the body is empty, not JSON"],
  ])(
    "returns the 400 response of the service, without a quotation, for a body that is not JSON (%j)",
    (body, text) =>
      withEcho(async ({ address }) => {
        const response = await request(`${address}/json`, { method: "POST", body });
        expect([response.statusCode, await response.body.text()]).toEqual([400, text]);
      }),
  );

  test("sends an object as JSON, and a string unchanged with the content type of the service", () =>
    withEcho(async ({ address }) => {
      const object = await get(address, "/value");
      expect([object.headers["content-type"], object.text]).toEqual([
        "application/json",
        '{"value":"first"}',
      ]);
      const text = await get(address, "/text");
      expect([text.headers["content-type"], text.text]).toEqual(["text/odd", "as it stands"]);
    }));

  test("a 204 response has no body, content-length or content-type", () =>
    withEcho(async ({ address }) => {
      const response = await request(`${address}/nothing`, { method: "DELETE" });
      expect(response.statusCode).toBe(204);
      expect(response.headers).not.toHaveProperty("content-length");
      expect(response.headers).not.toHaveProperty("content-type");
      expect(await response.body.text()).toBe("");
    }));

  test.each(["gzip", "gzip;q=0.5, identity", "deflate, GZIP", "*"])(
    "compresses a long body with gzip if Accept-Encoding is %j",
    (accepted) =>
      withEcho(async ({ address }) => {
        const { headers, bytes } = await get(address, "/long", { "accept-encoding": accepted });
        expect(headers["content-encoding"]).toBe("gzip");
        expect(headers["content-length"]).toBe(String(bytes.length));
        expect(bytes.length).toBeLessThan(500);
        expect(JSON.parse(gunzipSync(bytes).toString())).toEqual({ long: "x".repeat(5000) });
      }),
  );

  test.each(["", "identity", "gzip;q=0", "br, gzip;q=0.0, *"])(
    "does not compress a long body if Accept-Encoding is %j",
    (accepted) =>
      withEcho(async ({ address }) => {
        const { headers, text } = await get(address, "/long", { "accept-encoding": accepted });
        expect(headers).not.toHaveProperty("content-encoding");
        expect(JSON.parse(text)).toEqual({ long: "x".repeat(5000) });
      }),
  );

  test("does not compress a short body", () =>
    withEcho(async ({ address }) => {
      const { headers } = await get(address, "/value", { "accept-encoding": "gzip" });
      expect(headers).not.toHaveProperty("content-encoding");
    }));

  test("returns 413 for a request body above the size limit, and continues to serve requests", () =>
    withEcho(async ({ address, port }) => {
      const client = new RawClient(port);
      await client.send("PUT /value HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
      const megabyte = Buffer.alloc(1024 * 1024, "x");
      const chunk = Buffer.concat([Buffer.from("100000\r\n"), megabyte, Buffer.from("\r\n")]);
      for (let sent = 0; sent < 65 && client.text === ""; sent += 1) await client.send(chunk);
      expect(await client.closed()).toMatch(/^HTTP\/1\.1 413 /);
      expect((await get(address, "/value")).text).toBe('{"value":"first"}');
    }));
});

describe("An exception in the stub", () => {
  test("answers the start of a TLS connection at once, so that a client does not wait for its time limit", () =>
    withEcho(async ({ address }) => {
      const secure = connect({ port: Number(new URL(address).port), host: "127.0.0.1" });
      const [error] = (await once(secure, "error")) as [NodeJS.ErrnoException];
      expect(error.code).toBe("ERR_SSL_WRONG_VERSION_NUMBER");
    }));

  test("returns 500 with its message, and the request log contains its stack trace", () =>
    withEcho(async ({ address, controls }) => {
      const { status, text } = await get(address, "/broken");
      expect([status, text]).toEqual([500, "the stub's mesh service failed: a bug in the service"]);
      const [logged] = await controls.requests();
      expect(logged?.exception).toMatch(/^Error: a bug in the service\n +at .*echo\.ts/);
    }));

  test("a header that HTTP does not allow returns 500 and is logged as an exception", () =>
    withEcho(async ({ address, controls }) => {
      expect(await get(address, "/odd-header")).toMatchObject({ status: 500 });
      expect((await controls.requests())[0]?.exception).toMatch(/header/);
      expect((await get(address, "/value")).status).toBe(200);
    }));
});

async function send(
  address: string,
  method: "GET" | "PUT" | "POST",
  path: string,
  body?: string,
  headers = {},
) {
  const response = await request(address + path, { method, headers, ...(body !== undefined && { body }) });
  await response.body.dump();
}

describe("The request log", () => {
  test("records the request, its time, its outcome and the response status", () =>
    withEcho(async ({ address, clock, controls }) => {
      clock.advance(5);
      await send(address, "PUT", "/echo/a%2Fb?cas=1&dc=x&dc=y", '{"Hash":18446744073709551615}', {
        "content-type": "application/json",
        "x-mesh-namespace": "team",
      });
      const [logged] = await controls.requests();
      expect(logged).toEqual({
        sequence: 1,
        service: "mesh",
        method: "PUT",
        path: "/echo/a%2Fb",
        query: { cas: "1", dc: ["x", "y"] },
        headers: expect.objectContaining({ "content-type": "application/json", "x-mesh-namespace": "team" }),
        body: { Hash: 18446744073709551615n },
        time: START + 5,
        reached: true,
        outcome: "answered",
        serviceStatus: 200,
        status: 200,
        bytes: expect.any(Number),
        faults: [],
      });
    }));

  test("stores a body that is not JSON as a string, and no body as an absent field", () =>
    withEcho(async ({ address, controls }) => {
      await send(address, "PUT", "/value", "plain text");
      await send(address, "GET", "/value");
      const [put, get] = await controls.requests();
      expect(put?.body).toBe("plain text");
      expect(get).not.toHaveProperty("body");
    }));

  test("records the method LIST and the headers as the client sent them", () =>
    withEcho(async ({ port, controls }) => {
      const client = new RawClient(port);
      await client.send("LIST /echo/a HTTP/1.1\r\nHost: x\r\n\r\n");
      await client.answers(1);
      client.end();
      expect(await controls.requests({ method: "LIST" })).toMatchObject([{ headers: { host: "x" } }]);
    }));

  test("masks tokens in headers and in the query", () =>
    withEcho(async ({ address, controls }) => {
      const canary = "canary-7f3a";
      await send(address, "GET", `/value?token=${canary}`, undefined, {
        authorization: `Bearer ${canary}`,
        "proxy-authorization": canary,
        cookie: `session=${canary}`,
        "x-mesh-token": canary,
        "X-Vault-Token": canary,
        "x-mesh-index": "4",
      });
      const shown = await controls.requests();
      expect(JSON.stringify(shown)).not.toContain(canary);
      expect(shown).toMatchObject([
        {
          query: { token: "[masked]" },
          headers: {
            authorization: "Bearer [masked]",
            "proxy-authorization": "[masked]",
            cookie: "[masked]",
            "x-mesh-token": "[masked]",
            "x-vault-token": "[masked]",
            "x-mesh-index": "4",
          },
        },
      ]);
    }));

  test.each([
    ["Basic dXNlcg==", "Basic [masked]"],
    ["dXNlcg==", "[masked]"],
    ["Bearer ", "[masked]"],
  ])("the authorization header %j is logged as %j", (authorization, shown) => {
    expect(maskHeaders({ authorization })).toEqual({ authorization: shown });
  });

  test("filters by service, method, path, query, body, outcome and sequence number", () =>
    withEcho(async ({ address, controls }) => {
      await send(address, "GET", "/value?stale");
      await send(address, "PUT", "/value", "one");
      await send(address, "PUT", "/value", "two");
      await send(address, "GET", "/nowhere");
      const sequences = async (...[filter]: Parameters<typeof controls.requests>) =>
        (await controls.requests(filter)).map(({ sequence }) => sequence);
      expect(await sequences()).toEqual([1, 2, 3, 4]);
      expect(await sequences({ service: "mesh", method: "PUT" })).toEqual([2, 3]);
      expect(await sequences({ service: "secrets" })).toEqual([]);
      expect(await sequences({ path: "/value", after: 2 })).toEqual([3]);
      expect(await sequences({ pathPattern: "^/no" })).toEqual([4]);
      expect(await sequences({ query: { stale: "" } })).toEqual([1]);
      expect(await sequences({ bodyIncludes: "tw" })).toEqual([3]);
      expect(await sequences({ outcome: "lost" })).toEqual([]);
      await controls.clearRequests();
      await send(address, "GET", "/value");
      expect(await sequences()).toEqual([5]);
    }));

  test("stores only the latest requests up to the maximum number", () =>
    withEcho(
      async ({ address, controls }) => {
        for (const body of ["1", "2", "3", "4", "5"]) await send(address, "PUT", "/value", body);
        expect((await controls.requests()).map(({ body }) => body)).toEqual([3, 4, 5]);
      },
      { requests: 3 },
    ));

  test("stores only the latest requests whose bodies fit into the maximum number of bytes", () =>
    withEcho(
      async ({ address, controls }) => {
        for (const letter of ["a", "b", "c"]) await send(address, "PUT", "/value", letter.repeat(40));
        expect((await controls.requests()).map(({ body }) => body)).toEqual(["b".repeat(40), "c".repeat(40)]);
        await send(address, "PUT", "/value", "d".repeat(101));
        expect(await controls.requests()).toEqual([]);
        await send(address, "PUT", "/value", "e");
        expect(await controls.requests()).toMatchObject([{ body: "e", sequence: 5 }]);
      },
      { bytes: 100 },
    ));

  test("copies a body that is a slice of a larger socket buffer", () => {
    const log = new RequestLog();
    const buffer = Buffer.alloc(64 * 1024);
    const query = new URLSearchParams();
    const body = buffer.subarray(0, 5000);
    const entry = log.enter({ service: "mesh", method: "PUT", path: "/", query, body }, {}, 0);
    expect(entry.request.body).toEqual(body);
    expect(entry.request.body.buffer).not.toBe(buffer.buffer);
  });
});

describe("Waiting for requests", () => {
  test("resolves after the expected number of requests has arrived", () =>
    withEcho(async ({ address, controls }) => {
      await send(address, "PUT", "/value", "one");
      const waiting = controls.awaitRequests({ method: "PUT" }, 2);
      await send(address, "GET", "/value");
      await send(address, "PUT", "/value", "two");
      expect((await waiting).map(({ body }) => body)).toEqual(["one", "two"]);
    }));

  test("can wait for an outcome of a request", () =>
    withEcho(async ({ address, controls, clock }) => {
      const open = controls.awaitRequests({ path: "/wait/1000", outcome: "open" });
      const answered = controls.awaitRequests({ path: "/wait/1000", outcome: "answered" });
      const sent = send(address, "GET", "/wait/1000");
      expect(await open).toMatchObject([{ outcome: "open", reached: true, status: null }]);
      clock.advance(1000);
      expect(await answered).toMatchObject([{ status: 200 }]);
      await sent;
    }));

  test("rejects after its timeout with the number of requests that arrived", () =>
    withEcho(async ({ address, controls }) => {
      await send(address, "PUT", "/value", "one");
      await expect(controls.awaitRequests({ method: "PUT" }, 2, 1)).rejects.toThrow(
        '1 of 2 requests like {"method":"PUT"} came within 1 ms',
      );
    }));
});

describe("A client that disconnects", () => {
  test("aborts the handler of its waiting request, and the request is logged as lost", () =>
    withEcho(async ({ port, service, controls }) => {
      const client = new RawClient(port);
      await client.send("GET /wait/1000000 HTTP/1.1\r\nHost: x\r\n\r\n");
      await controls.awaitRequests({ outcome: "open" });
      client.end();
      await service.ended();
      expect(service.waited).toEqual([{ time: START, isGone: true }]);
      expect(await controls.awaitRequests({ outcome: "lost" })).toHaveLength(1);
    }));

  test("while it sends a body, its request is neither handled nor logged", () =>
    withEcho(async ({ address, port, controls, service }) => {
      const client = new RawClient(port);
      await client.send("PUT /value HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
      client.end();
      await client.closed();
      await send(address, "GET", "/value");
      expect(service.value).toBe("first");
      expect(await controls.requests()).toMatchObject([{ method: "GET" }]);
    }));
});
