import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { UnclearAnswer, UnexpectedAnswer } from "../../../provider/core/http/errors";
import { clientOf, closeClients, read, rejection, write } from "./clients";
import { json, serve, serveRaw, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

describe("connections", () => {
  test("sequential requests reuse connections and open at most two", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address);
    for (let i = 0; i < 20; i += 1) await client.send(read());
    expect(server.requests.length).toBe(20);
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test("concurrent requests share one connection if maxConnections is 1", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address, { maxConnections: 1 });
    await Promise.all(Array.from({ length: 10 }, () => client.send(read())));
    expect([server.requests.length, server.connections()]).toEqual([10, 1]);
  });

  test("100 concurrent requests open no more connections than maxConnections", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address, { maxConnections: 3 });
    await Promise.all(Array.from({ length: 100 }, () => client.send(read())));
    expect(server.requests.length).toBe(100);
    expect(server.connections()).toBeLessThanOrEqual(3);
  });

  test("a closed client closes its connection and opens a new one if it is used again", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address);
    await client.send(read());
    await client.close();
    await client.send(read());
    expect(server.connections()).toBe(2);
  });
});

describe("request", () => {
  test("sends the headers of the client, the user agent, its own headers and its body unchanged", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address, {
      headers: { "X-Sched-Token": "s3cr3t-token" },
      userAgent: "pulumi-quarterdeck/1.2.3",
    });
    await client.send(
      write({ body: { Index: 18446744073709551615n, Name: "ü" }, headers: { "X-Extra": "1" } }),
    );
    const [seen] = server.requests;
    expect(seen).toMatchObject({
      method: "PUT",
      url: "/v1/jobs",
      body: '{"Index":18446744073709551615,"Name":"ü"}',
    });
    expect(seen?.headers).toMatchObject({
      "x-sched-token": "s3cr3t-token",
      "x-extra": "1",
      "user-agent": "pulumi-quarterdeck/1.2.3",
      "content-type": "application/json",
      accept: "application/json",
    });
  });

  test("sends the given Content-Type, and none without a body", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address);
    await client.send(write({ contentType: "application/vnd.api+json" }));
    await client.send({ ...read(), method: "POST", contentType: "application/vnd.api+json" });
    expect(server.requests.map(({ headers }) => headers["content-type"])).toEqual([
      "application/vnd.api+json",
      undefined,
    ]);
  });

  test("encodes its query, including repeated names and brackets, and omits undefined values", async () => {
    const server = await serve((response) => json(response, 200, {}));
    await clientOf(server.address).send(
      read({ query: { "page[size]": "100", a: ["x y", "&="], none: undefined, stale: "" } }),
    );
    expect(server.requests[0]?.url).toBe("/v1/job/web?page%5Bsize%5D=100&a=x%20y&a=%26%3D&stale=");
  });

  test("appends its path to the path of the address", async () => {
    const server = await serve((response) => json(response, 200, {}));
    await clientOf(`${server.address}/plane/`).send(read());
    expect(server.requests[0]?.url).toBe("/plane/v1/job/web");
  });

  test("sends the userinfo of the address as basic authentication", async () => {
    const server = await serve((response) => json(response, 200, {}));
    await clientOf(server.address.replace("//", "//me:p%40ss@")).send(read());
    expect(server.requests[0]?.headers.authorization).toBe(
      `Basic ${Buffer.from("me:p@ss").toString("base64")}`,
    );
  });

  test("sends the same unique X-Request-Id in all its attempts", async () => {
    const server = await serve((response, _, count) => json(response, count === 1 ? 503 : 200, {}));
    const client = clientOf(server.address);
    await client.send(read());
    await client.send(read());
    const ids = server.requests.map(({ headers }) => headers["x-request-id"]);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(2);
  });

  test.each(["/v1/../secret", "/v1/%2e%2E/secret", "/v1/a?x=1", "/v1/a b", "v1"])(
    "with the unencoded path %j is rejected and not sent",
    async (path) => {
      const server = await serve((response) => json(response, 200, {}));
      const error = await rejection(clientOf(server.address).send(read({ path })));
      expect(error).toMatchObject({ name: "Unreachable", outcome: "notApplied" });
      expect(server.requests).toEqual([]);
    },
  );
});

describe("response", () => {
  test("is returned with its headers, text and JSON even if its status is 409", async () => {
    const server = await serve((response) => json(response, 409, { Hash: 1 }, { "X-Sched-Index": "7" }));
    const answer = await clientOf(server.address).send(write());
    expect(answer).toMatchObject({
      status: 409,
      headers: { "x-sched-index": "7" },
      text: '{"Hash":1}',
      json: { Hash: 1 },
      attempts: 1,
    });
  });

  test("after a 1xx response is returned without the headers of the 1xx response", async () => {
    const server = await serveRaw((socket) =>
      socket.end(
        "HTTP/1.1 103 Early Hints\r\nx-early: 1\r\n\r\nHTTP/1.1 200 OK\r\nx-late: 1\r\ncontent-length: 2\r\n\r\n{}",
      ),
    );
    const answer = await clientOf(server.address).send(read());
    expect(answer).toMatchObject({ status: 200, headers: { "x-late": "1" } });
    expect(answer.headers).not.toHaveProperty("x-early");
  });

  test("contains 64-bit integers without loss of precision", async () => {
    const server = await serve((response) => response.end('{"Hash":18446744073709551615}'));
    expect((await clientOf(server.address).send(read())).json).toEqual({ Hash: 18446744073709551615n });
  });

  test("in plain text is accepted for an error status or if the request expects text", async () => {
    const server = await serve((response, { method }) =>
      response.writeHead(method === "PUT" ? 500 : 200).end("job exists"),
    );
    const client = clientOf(server.address);
    expect(await client.send(write())).toMatchObject({ status: 500, text: "job exists", json: undefined });
    expect(await client.send(read({ expect: "text" }))).toMatchObject({ status: 200, text: "job exists" });
  });

  test("can be empty for a write, and for a read only with status 204", async () => {
    const server = await serve((response, { url }) => response.writeHead(url === "/none" ? 204 : 200).end());
    const client = clientOf(server.address);
    expect((await client.send(write())).json).toBeUndefined();
    expect((await client.send(read({ path: "/none" }))).status).toBe(204);
    expect(await rejection(client.send(read()))).toBeInstanceOf(UnexpectedAnswer);
  });

  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
    ["gzip, br", (text: string) => brotliCompressSync(gzipSync(text))],
  ])("with the Content-Encoding %s is decompressed (%#)", async (encoding, compress) => {
    const server = await serve((response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(compress('{"a":"ü"}')),
    );
    expect((await clientOf(server.address).send(read())).json).toEqual({ a: "ü" });
    expect(server.requests[0]?.headers["accept-encoding"]).toBe("gzip, deflate, br");
  });

  test("with an unsupported Content-Encoding is rejected with an error that names it", async () => {
    const server = await serve((response) =>
      response.writeHead(200, { "content-encoding": "zstd" }).end("x"),
    );
    const error = await rejection(clientOf(server.address).send(read()));
    expect(error).toBeInstanceOf(UnexpectedAnswer);
    expect(String(error)).toContain('"zstd"');
  });

  test.each([
    ["larger than maxResponseBytes", "x".repeat(2000), {}],
    [
      "larger than maxResponseBytes after decompression",
      gzipSync("x".repeat(5_000_000)),
      { "content-encoding": "gzip" },
    ],
    [
      "larger than maxResponseBytes after two decompressions",
      gzipSync(gzipSync("x".repeat(5_000_000))),
      { "content-encoding": "gzip, gzip" },
    ],
  ])("%s causes UnexpectedAnswer for a read and UnclearAnswer for a write", async (_, body, headers) => {
    const server = await serve((response) => response.writeHead(200, { ...headers }).end(body));
    const client = clientOf(server.address, { maxResponseBytes: 1000 });
    const forRead = await rejection(client.send(read({ expect: "text" })));
    expect(forRead).toBeInstanceOf(UnexpectedAnswer);
    expect(String(forRead)).toContain("more than 1000 bytes");
    expect(await rejection(client.send(write({ expect: "text" })))).toBeInstanceOf(UnclearAnswer);
    expect(server.requests.length).toBe(2);
  });

  test("that never ends is aborted at maxResponseBytes", async () => {
    const server = await serve((response) => {
      response.on("error", () => {});
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(1000)));
      };
      response.on("drain", more);
      more();
    });
    const client = clientOf(server.address, { maxResponseBytes: 100_000 });
    expect(await rejection(client.send(read({ expect: "text" })))).toBeInstanceOf(UnexpectedAnswer);
  });
});
