import { gunzipSync } from "node:zlib";
import { request } from "undici";
import { Router } from "../../stub/frame/router";
import { withEcho } from "./frame/echo";
import { RawClient } from "./frame/raw";

async function get(address: string, path: string, headers: Record<string, string> = {}) {
  const response = await request(address + path, { headers });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
}

describe("Routes", () => {
  test.each([
    ["/item/a%2Fb", { item: "a/b" }],
    ["/item/a%2Fb/part/c%2fd%20e", { id: "a/b", part: "c/d e" }],
    ["/item/%E2%82%AC", { item: "€" }],
    ["/item/a+b", { item: "a+b" }],
    ["/item/special", { item: "the special one" }],
    ["/item/special/part/x", { id: "special", part: "x" }],
  ])("%s is decoded segment by segment", (path, expected) =>
    withEcho(async ({ address }) => {
      expect(JSON.parse((await get(address, path)).text)).toEqual(expected);
    }),
  );

  test("the rest of a path is one parameter, and the path as sent is there beside it", () =>
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
    "%s is not found, in the service's own words",
    (path) =>
      withEcho(async ({ address }) => {
        expect(await get(address, path)).toMatchObject({ status: 404, text: `no GET ${path}` });
      }),
  );

  test("a verb that a path does not have is not found either", () =>
    withEcho(async ({ address }) => {
      const { statusCode } = await request(`${address}/item/a`, { method: "PATCH" });
      expect(statusCode).toBe(404);
    }));

  test("a path that is not percent-encoded is a bad request in the service's own words", () =>
    withEcho(async ({ port }) => {
      const client = new RawClient(port);
      await client.send("GET /item/50%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      expect(await client.closed()).toMatch(/^HTTP\/1\.1 400 .*bad: the path's segment "50%zz"/s);
    }));

  test("a parameter that leads nowhere gives way to the rest of a path", () => {
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

describe("Bodies", () => {
  test("integers beyond 2^53 keep their digits both ways", () =>
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
  ])("a body that is not JSON (%j) is refused in the service's own words, and not quoted", (body, text) =>
    withEcho(async ({ address }) => {
      const response = await request(`${address}/json`, { method: "POST", body });
      expect([response.statusCode, await response.body.text()]).toEqual([400, text]);
    }),
  );

  test("an object is JSON, and a text stands as it is with the service's own content type", () =>
    withEcho(async ({ address }) => {
      const object = await get(address, "/value");
      expect([object.headers["content-type"], object.text]).toEqual([
        "application/json",
        '{"value":"first"}',
      ]);
      const text = await get(address, "/text");
      expect([text.headers["content-type"], text.text]).toEqual(["text/odd", "as it stands"]);
    }));

  test("204 has neither a body nor a length", () =>
    withEcho(async ({ address }) => {
      const response = await request(`${address}/nothing`, { method: "DELETE" });
      expect(response.statusCode).toBe(204);
      expect(response.headers).not.toHaveProperty("content-length");
      expect(response.headers).not.toHaveProperty("content-type");
      expect(await response.body.text()).toBe("");
    }));

  test.each(["gzip", "gzip;q=0.5, identity", "deflate, GZIP", "*"])(
    "a long body is compressed for a client that takes %j",
    (accepted) =>
      withEcho(async ({ address }) => {
        const { headers, bytes } = await get(address, "/long", { "accept-encoding": accepted });
        expect(headers["content-encoding"]).toBe("gzip");
        expect(headers["content-length"]).toBe(String(bytes.length));
        expect(bytes.length).toBeLessThan(500);
        expect(JSON.parse(gunzipSync(bytes).toString())).toEqual({ long: "x".repeat(5000) });
      }),
  );

  test.each(["", "identity", "gzip;q=0", "br, gzip;q=0.0, *"])("but not for one that takes %j", (accepted) =>
    withEcho(async ({ address }) => {
      const { headers, text } = await get(address, "/long", { "accept-encoding": accepted });
      expect(headers).not.toHaveProperty("content-encoding");
      expect(JSON.parse(text)).toEqual({ long: "x".repeat(5000) });
    }),
  );

  test("a short body is not worth compressing", () =>
    withEcho(async ({ address }) => {
      const { headers } = await get(address, "/value", { "accept-encoding": "gzip" });
      expect(headers).not.toHaveProperty("content-encoding");
    }));

  test("a body past the limit is refused, and the stub lives on", () =>
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

describe("A bug in the stub", () => {
  test("is answered 500 with its message, and stands in the log with its place", () =>
    withEcho(async ({ address, controls }) => {
      const { status, text } = await get(address, "/broken");
      expect([status, text]).toEqual([500, "the stub's mesh service failed: a bug in the service"]);
      const [logged] = await controls.requests();
      expect(logged?.exception).toMatch(/^Error: a bug in the service\n +at .*echo\.ts/);
    }));

  test("a header that HTTP cannot carry is told, not thrown", () =>
    withEcho(async ({ address, controls }) => {
      expect(await get(address, "/odd-header")).toMatchObject({ status: 500 });
      expect((await controls.requests())[0]?.exception).toMatch(/header/);
      expect((await get(address, "/value")).status).toBe(200);
    }));
});
