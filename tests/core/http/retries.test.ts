import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dispatcher } from "undici";
import { Canceled, TimedOut } from "../../../provider/core/http/errors";
import { exchange } from "../../../provider/core/http/exchange";
import { Attempts } from "../../../provider/core/http/request";
import { basedOnRead, NotSent } from "../../../provider/core/http/retry";
import { authority } from "./certificates";
import { clientOf, closeClients, read, rejection, testRuntime, write } from "./clients";
import { closedPort, json, listen, serve, serveRaw, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

const singleUse = () => write({ nature: "single-use", path: "/rotate" });
const requests = { read, write, "single-use": singleUse };

/** Serves the given status for the first request, and success for all others. */
function failingOnce(status: number, headers: Record<string, string> = {}) {
  return serve((response, _, count) =>
    json(response, count === 1 ? status : 200, {}, count === 1 ? headers : {}),
  );
}

describe("retry after a status", () => {
  test.each([
    ["read", [412, 429, 502, 503, 504]],
    ["write", [412, 429]],
    ["single-use", [429]],
  ] as const)("happens for a %s only after %j", async (nature, repeated) => {
    for (const status of [400, 401, 403, 404, 408, 409, 412, 422, 425, 429, 500, 501, 502, 503, 504]) {
      const server = await failingOnce(status);
      const answer = await clientOf(server.address).send(requests[nature]());
      const repeats = repeated.some((one) => one === status);
      expect([status, answer.status, answer.attempts]).toEqual(
        repeats ? [status, 200, 2] : [status, status, 1],
      );
      expect(server.requests.length).toBe(answer.attempts);
    }
  });

  test("stops at maxRetries and returns the last response with the number of attempts", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 503, {}));
    const answer = await clientOf(server.address, { maxRetries: 3, runtime }).send(read());
    expect(answer).toMatchObject({ status: 503, attempts: 4 });
    expect(runtime.slept).toEqual([375, 750, 1500]);
  });

  test("does not happen if maxRetries is 0", async () => {
    const server = await serve((response) => json(response, 429, {}));
    expect((await clientOf(server.address, { maxRetries: 0 }).send(read())).attempts).toBe(1);
  });

  test.each([
    ["Retry-After in seconds", { "retry-after": "7" }, 7125],
    ["Retry-After as a date", { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }, 9125],
    ["X-RateLimit-Reset", { "x-ratelimit-reset": "0.5" }, 625],
  ])("happens at the time given by %s", async (_, headers, wait) => {
    const runtime = testRuntime();
    const server = await failingOnce(429, headers);
    await clientOf(server.address, { runtime }).send(write());
    expect(runtime.slept).toEqual([wait]);
  });

  test.each([429, 503])("does not happen if Retry-After of a %d exceeds the deadline", async (status) => {
    const runtime = testRuntime();
    const server = await failingOnce(status, { "retry-after": "60" });
    const answer = await clientOf(server.address, { runtime }).send(
      read({ deadline: runtime.now() + 30_000 }),
    );
    expect(answer).toMatchObject({ status, attempts: 1 });
    expect(runtime.slept).toEqual([]);
  });

  test("ends at the deadline even if the clock does not advance", async () => {
    const runtime = { ...testRuntime(), now: () => 0 };
    const server = await serve((response) => json(response, 503, {}));
    const client = clientOf(server.address, { runtime, maxRetries: 1_000_000 });
    expect(await client.send(read({ deadline: 20_000 }))).toMatchObject({ status: 503 });
  });
});

describe("repeatWhile", () => {
  const pending = (answer: { status: number; text: string }) =>
    answer.status === 409 && answer.text.includes("processed");

  test("repeats a write as long as its condition is true, regardless of maxRetries", async () => {
    const server = await serve((response, _, count) =>
      json(response, count < 12 ? 409 : 204, "is being processed"),
    );
    const answer = await clientOf(server.address, { maxRetries: 0 }).send(write({ repeatWhile: pending }));
    expect(answer).toMatchObject({ status: 204, attempts: 12 });
  });

  test("ends at the deadline with the last response", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 409, "is being processed"));
    const deadline = runtime.now() + 60_000;
    const answer = await clientOf(server.address, { runtime }).send(
      write({ repeatWhile: pending, deadline }),
    );
    expect(answer.status).toBe(409);
    expect(runtime.now()).toBeLessThanOrEqual(deadline);
    expect(answer.attempts).toBeGreaterThan(3);
  });

  test("does not repeat a response that does not match", async () => {
    const server = await serve((response) => json(response, 409, "locked"));
    expect((await clientOf(server.address).send(write({ repeatWhile: pending }))).attempts).toBe(1);
  });
});

describe("rate limit", () => {
  test("pauses all requests of the client, not only the one that got the 429", async () => {
    const runtime = testRuntime();
    const end = runtime.now() + 5000;
    const early: string[] = [];
    const server = await serve((response, { url }, count) => {
      if (count > 1 && runtime.now() < end) early.push(url);
      json(response, count === 1 ? 429 : 200, {}, count === 1 ? { "retry-after": "5" } : {});
    });
    const client = clientOf(server.address, { runtime, maxConnections: 1 });
    await Promise.all(["/a", "/b", "/c"].map((path) => client.send(read({ path }))));
    expect(early).toEqual([]);
    expect(server.requests.map(({ url }) => url)).toEqual(["/a", "/a", "/b", "/c"]);
    expect(runtime.slept).toEqual([5125]);
  });

  test("that response headers report as exhausted delays requests before any 429", async () => {
    const runtime = testRuntime();
    let [since, used] = [runtime.now(), 0];
    const server = await serve((response) => {
      const now = runtime.now();
      if (now >= since + 1000) [since, used] = [now, 0];
      used += 1;
      const left = { "x-ratelimit-remaining": String(Math.max(0, 3 - used)) };
      const reset = { "x-ratelimit-reset": String((since + 1000 - now) / 1000) };
      json(response, used <= 3 ? 200 : 429, {}, { ...left, ...reset });
    });
    const client = clientOf(server.address, { runtime, maxConnections: 1 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.send(read())));
    expect(answers.map(({ status, attempts }) => [status, attempts])).toEqual(answers.map(() => [200, 1]));
    expect(runtime.slept).toEqual([1000, 1000, 1000]);
  });

  test("that lasts longer than a request's deadline prevents it from being sent", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 429, {}, { "retry-after": "100" }));
    const client = clientOf(server.address, { runtime });
    const deadline = runtime.now() + 10_000;
    expect((await client.send(read({ deadline }))).status).toBe(429);
    const error = await rejection(client.send(write({ deadline })));
    expect(error).toBeInstanceOf(TimedOut);
    expect(error).toMatchObject({ outcome: "notApplied", attempts: 0 });
    expect(String(error)).toContain("was not sent: the server's rate limit lasts longer");
    expect(server.requests.length).toBe(1);
  });

  test("lets 60 concurrent requests succeed, each within three attempts", async () => {
    const runtime = testRuntime();
    const perSecond = new Map<number, number>();
    const server = await serve((response) => {
      const second = Math.floor(runtime.now() / 1000);
      const count = (perSecond.get(second) ?? 0) + 1;
      perSecond.set(second, count);
      const reset = String(second + 1 - runtime.now() / 1000);
      json(response, count <= 5 ? 200 : 429, {}, count <= 5 ? {} : { "x-ratelimit-reset": reset });
    });
    const client = clientOf(server.address, { runtime, maxConnections: 4 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => client.send(write())));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(Math.max(...answers.map(({ attempts }) => attempts))).toBeLessThanOrEqual(3);
  });
});

describe("rate limit lower than the number of concurrent requests", () => {
  test("uses up no retries as long as other requests succeed", async () => {
    const runtime = testRuntime();
    const perSecond = new Map<number, number>();
    const server = await serve((response) => {
      const second = Math.floor(runtime.now() / 1000);
      const count = (perSecond.get(second) ?? 0) + 1;
      perSecond.set(second, count);
      json(response, count <= 2 ? 200 : 429, {}, count <= 2 ? {} : { "retry-after": "1" });
    });
    const client = clientOf(server.address, { runtime, maxConnections: 16, maxRetries: 1 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => client.send(read())));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(Math.max(...answers.map(({ attempts }) => attempts))).toBeGreaterThan(2);
  });

  test("uses up the retries if no request succeeds", async () => {
    const server = await serve((response) => json(response, 429, {}));
    const client = clientOf(server.address, { maxRetries: 2 });
    const answers = await Promise.all(["/a", "/b"].map((path) => client.send(read({ path }))));
    expect(answers.map(({ status, attempts }) => [status, attempts])).toEqual([
      [429, 3],
      [429, 3],
    ]);
  });
});

describe("write based on a read", () => {
  test("releases its connection after a 429, so that the next read waits, and counts all its attempts", async () => {
    const asked: string[] = [];
    const server = await serve((response, { url = "", method }) => {
      asked.push(`${method} ${url}`);
      const isFirst = asked.length === 1;
      json(response, isFirst ? 429 : 200, {}, isFirst ? { "retry-after": "5" } : {});
    });
    const runtime = testRuntime();
    const client = clientOf(server.address, { runtime, maxConnections: 1 });
    const attempts = new Attempts(runtime.now());
    const request = () => write({ path: "/write", ...basedOnRead(attempts, runtime.now()) });
    expect(await rejection(client.send(request()))).toBeInstanceOf(NotSent);
    await client.send(read({ path: "/read" }));
    expect(runtime.slept).toHaveLength(1);
    expect(await client.send(request())).toMatchObject({ status: 200, attempts: 2 });
    expect(asked).toEqual(["PUT /write", "GET /read", "PUT /write"]);
  });

  test("throws NotSent instead of a retry, and the failure itself after the last retry", async () => {
    const runtime = testRuntime();
    const client = clientOf(`http://127.0.0.1:${await closedPort()}`, { maxRetries: 2, runtime });
    const attempts = new Attempts(runtime.now());
    const request = () => write(basedOnRead(attempts, runtime.now()));
    expect(await rejection(client.send(request()))).toBeInstanceOf(NotSent);
    expect(await rejection(client.send(request()))).toBeInstanceOf(NotSent);
    expect(await rejection(client.send(request()))).toMatchObject({ name: "Unreachable", attempts: 3 });
    expect(runtime.slept).toHaveLength(2);
  });
});

describe("refused connection", () => {
  test.each(["read", "write", "single-use"] as const)(
    "of a %s is retried and has the outcome notApplied",
    async (nature) => {
      const address = `http://127.0.0.1:${await closedPort()}`;
      const error = await rejection(clientOf(address, { maxRetries: 2 }).send(requests[nature]()));
      expect(error).toMatchObject({
        name: "Unreachable",
        attempts: 3,
        outcome: "notApplied",
        code: "ECONNREFUSED",
      });
      expect(String(error)).toContain(`connection refused at ${address}`);
    },
  );

  test("is followed by success if the server listens at the next attempt", async () => {
    const port = await closedPort();
    const runtime = testRuntime();
    let restarted: Promise<unknown> | undefined;
    const late = createHttpServer((_, response) => json(response, 200, { up: true }));
    const client = clientOf(`http://127.0.0.1:${port}`, {
      runtime: {
        ...runtime,
        sleep: async () => {
          restarted ??= new Promise<void>((resolve) => late.listen(port, "127.0.0.1", resolve));
          await restarted;
        },
      },
    });
    try {
      expect(await client.send(write())).toMatchObject({ status: 200, attempts: 2 });
    } finally {
      late.closeAllConnections();
      await new Promise((resolve) => late.close(resolve));
    }
  });
});

describe("broken connection", () => {
  test.each([
    ["before the response", ""],
    ["in the headers", "HTTP/1.1 200 OK\r\ncontent-le"],
    ["in the body", 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":'],
    ["in a chunk", 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n'],
    ["after a response that is not HTTP", "SSH-2.0-OpenSSH\r\n"],
  ])("%s causes a retry for a read and UnclearAnswer for a write", async (_, text) => {
    const server = await serveRaw((socket) => socket.end(text, "latin1", () => socket.destroy()));
    const client = clientOf(server.address, { maxRetries: 2 });
    expect(await rejection(client.send(read()))).toMatchObject({
      name: "ConnectionLost",
      attempts: 3,
      outcome: "notApplied",
    });
    expect(server.requests.length).toBe(3);
    for (const request of [write(), singleUse()]) {
      expect(await rejection(client.send(request))).toMatchObject({
        name: "UnclearAnswer",
        attempts: 1,
        // An intermediary may have the request. That matters only if it must not be sent twice.
        outcome: request.nature === "single-use" ? "inFlight" : "unknown",
      });
    }
    expect(server.requests.length).toBe(5);
  });

  test("is not reported if the next attempt of a read succeeds", async () => {
    const server = await serveRaw((socket, _, count) =>
      count === 1 ? socket.destroy() : socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
    );
    expect(await clientOf(server.address).send(read())).toMatchObject({ status: 200, attempts: 2 });
  });
});

describe("time limit", () => {
  test("of an attempt ends a read after its retries, and a write with the outcome inFlight", async () => {
    const server = await serve(() => {});
    const client = clientOf(server.address, { timeoutMs: 30, maxRetries: 1 });
    const forRead = await rejection(client.send(read()));
    expect(forRead).toMatchObject({ name: "TimedOut", attempts: 2, outcome: "notApplied" });
    expect(String(forRead)).toContain("got no response within 0.03 s after 2 attempts");
    expect(await rejection(client.send(write()))).toMatchObject({
      name: "UnclearAnswer",
      attempts: 1,
      outcome: "inFlight",
    });
  });

  test("of an attempt includes the time in which the body arrives", async () => {
    const server = await serve((response) => {
      const timer = setInterval(() => response.write(" "), 5);
      response.on("close", () => clearInterval(timer));
    });
    const error = await rejection(clientOf(server.address, { timeoutMs: 60, maxRetries: 0 }).send(read()));
    expect(error).toMatchObject({ name: "TimedOut" });
  });

  test("of the request ends an attempt in progress", async () => {
    const runtime = testRuntime();
    const server = await serve(() => {});
    const client = clientOf(server.address, { runtime });
    const deadline = runtime.now() + 40;
    expect(await rejection(client.send(read({ deadline })))).toMatchObject({
      name: "TimedOut",
      attempts: 1,
      outcome: "notApplied",
    });
    expect(await rejection(client.send(write({ deadline })))).toMatchObject({
      name: "UnclearAnswer",
      attempts: 1,
      outcome: "inFlight",
    });
  });

  test("of the request prevents sending if it has passed before", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address, { runtime });
    const error = await rejection(client.send(write({ deadline: runtime.now() })));
    expect(error).toMatchObject({ name: "TimedOut", attempts: 0, outcome: "notApplied" });
    expect(server.requests).toEqual([]);
  });

  test("of the request prevents sending if it passes while other requests use all connections", async () => {
    const runtime = testRuntime();
    const server = await serve(() => {});
    const client = clientOf(server.address, { runtime, maxConnections: 1, timeoutMs: 500, maxRetries: 0 });
    const holder = rejection(client.send(read({ path: "/holder" })));
    const error = await rejection(client.send(write({ deadline: runtime.now() + 30 })));
    expect(error).toMatchObject({ name: "TimedOut", attempts: 0, outcome: "notApplied" });
    await holder;
    expect(server.requests.map(({ url }) => url)).toEqual(["/holder"]);
  });
});

describe("cancel", () => {
  test("before a request prevents it from being sent", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const error = await rejection(clientOf(server.address).send(write({ signal: AbortSignal.abort() })));
    expect(error).toBeInstanceOf(Canceled);
    expect(error).toMatchObject({ outcome: "notApplied" });
    expect(server.requests).toEqual([]);
  });

  test("during the TLS handshake prevents the request from being sent", async () => {
    const caller = new AbortController();
    const ca = authority();
    const server = await serve((response) => json(response, 200, {}), ca.issue("127.0.0.1"));
    // A server in front of the service delays the handshake until the caller has canceled.
    const front = createServer((socket) => {
      caller.abort();
      const onward = connect(server.port, "127.0.0.1");
      socket
        .on("error", () => {})
        .pipe(onward.on("error", () => {}))
        .pipe(socket);
    });
    const { address } = await listen(front, "https");
    const folder = mkdtempSync(join(tmpdir(), "front-"));
    try {
      writeFileSync(join(folder, "ca.pem"), ca.cert);
      const client = clientOf(address, { tls: { caFile: join(folder, "ca.pem") } });
      const error = await rejection(client.send(write({ signal: caller.signal })));
      expect(error).toMatchObject({ name: "Canceled", outcome: "notApplied" });
      // Closing waits for everything in progress.
      await client.close();
      expect(server.requests).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("before an exchange prevents its dispatch", async () => {
    const dispatch = jest.fn();
    const sending = {
      url: new URL("http://host"),
      target: "/",
      method: "PUT",
      headers: {},
      body: undefined,
      timeoutMs: 1000,
      runtime: testRuntime(),
      maxResponseBytes: 1000,
      signal: AbortSignal.abort("canceled"),
    };
    // The exchange uses only this method of a dispatcher.
    const error = await rejection(exchange({ dispatch } as unknown as Dispatcher, sending));
    expect(error).toMatchObject({ reason: "canceled", sent: false });
    expect(dispatch).not.toHaveBeenCalled();
  });

  test("during a write has the outcome inFlight", async () => {
    const caller = new AbortController();
    const server = await serve(() => caller.abort());
    const error = await rejection(clientOf(server.address).send(write({ signal: caller.signal })));
    expect(error).toMatchObject({ name: "Canceled", outcome: "inFlight" });
  });

  test("during a read has the outcome notApplied", async () => {
    const caller = new AbortController();
    const server = await serve(() => caller.abort());
    expect(await rejection(clientOf(server.address).send(read({ signal: caller.signal })))).toMatchObject({
      name: "Canceled",
      outcome: "notApplied",
    });
  });

  test("during the wait for a retry prevents the retry", async () => {
    const caller = new AbortController();
    const server = await serve((response) => json(response, 503, {}));
    const runtime = { ...testRuntime(), sleep: async () => caller.abort() };
    const error = await rejection(
      clientOf(server.address, { runtime }).send(read({ signal: caller.signal })),
    );
    expect(error).toBeInstanceOf(Canceled);
    expect(server.requests.length).toBe(1);
  });

  test("leaves no listener on the caller's signal after the request", async () => {
    const caller = new AbortController();
    const server = await serve((response) => json(response, 200, {}));
    const added = jest.spyOn(caller.signal, "addEventListener");
    const removed = jest.spyOn(caller.signal, "removeEventListener");
    await clientOf(server.address).send(read({ signal: caller.signal }));
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });
});

test("a request with the method LIST, which Node's own server rejects, reaches the service", async () => {
  const server = await serveRaw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"));
  await clientOf(server.address).send(read({ method: "LIST" }));
  expect(server.requests[0]?.method).toBe("LIST");
});
