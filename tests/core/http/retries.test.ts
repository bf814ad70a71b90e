import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Dispatcher } from "undici";
import { Cancelled, TimedOut } from "../../../provider/core/http/errors";
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

/** Answers the first request with a status, every further one with success. */
function failingOnce(status: number, headers: Record<string, string> = {}) {
  return serve((response, _, count) =>
    json(response, count === 1 ? status : 200, {}, count === 1 ? headers : {}),
  );
}

describe("a status that is repeated", () => {
  test.each([
    ["read", [412, 429, 502, 503, 504]],
    ["write", [412, 429]],
    ["single-use", [429]],
  ] as const)("is for a %s one of %j, and no other", async (nature, repeated) => {
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

  test("is returned once the retries are used up, with the number of attempts", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 503, {}));
    const answer = await clientOf(server.address, { maxRetries: 3, runtime }).send(read());
    expect(answer).toMatchObject({ status: 503, attempts: 4 });
    expect(runtime.slept).toEqual([375, 750, 1500]);
  });

  test("is not repeated where no retries are wanted", async () => {
    const server = await serve((response) => json(response, 429, {}));
    expect((await clientOf(server.address, { maxRetries: 0 }).send(read())).attempts).toBe(1);
  });

  test.each([
    ["in seconds", { "retry-after": "7" }, 7125],
    ["as a date", { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }, 9125],
    ["as the limit's reset", { "x-ratelimit-reset": "0.5" }, 625],
  ])("is repeated when the service says, %s", async (_, headers, wait) => {
    const runtime = testRuntime();
    const server = await failingOnce(429, headers);
    await clientOf(server.address, { runtime }).send(write());
    expect(runtime.slept).toEqual([wait]);
  });

  test.each([429, 503])("is not waited for beyond the deadline: %d", async (status) => {
    const runtime = testRuntime();
    const server = await failingOnce(status, { "retry-after": "60" });
    const answer = await clientOf(server.address, { runtime }).send(
      read({ deadline: runtime.now() + 30_000 }),
    );
    expect(answer).toMatchObject({ status, attempts: 1 });
    expect(runtime.slept).toEqual([]);
  });

  test("is given up at the deadline even by a clock that stands still", async () => {
    const runtime = { ...testRuntime(), now: () => 0 };
    const server = await serve((response) => json(response, 503, {}));
    const client = clientOf(server.address, { runtime, maxRetries: 1_000_000 });
    expect(await client.send(read({ deadline: 20_000 }))).toMatchObject({ status: 503 });
  });
});

describe("a wait that the specification names", () => {
  const pending = (answer: { status: number; text: string }) =>
    answer.status === 409 && answer.text.includes("processed");

  test("repeats a write while it holds, however often, whatever the retries", async () => {
    const server = await serve((response, _, count) =>
      json(response, count < 12 ? 409 : 204, "is being processed"),
    );
    const answer = await clientOf(server.address, { maxRetries: 0 }).send(write({ repeatWhile: pending }));
    expect(answer).toMatchObject({ status: 204, attempts: 12 });
  });

  test("ends at the deadline, with the last answer", async () => {
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

  test("does not repeat another answer", async () => {
    const server = await serve((response) => json(response, 409, "locked"));
    expect((await clientOf(server.address).send(write({ repeatWhile: pending }))).attempts).toBe(1);
  });
});

describe("a rate limit", () => {
  test("pauses the whole client, not only the request that met it", async () => {
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

  test("that an answer says is used up is waited for before anything is refused", async () => {
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

  test("that holds for longer than a request may take keeps it from being sent", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 429, {}, { "retry-after": "100" }));
    const client = clientOf(server.address, { runtime });
    const deadline = runtime.now() + 10_000;
    expect((await client.send(read({ deadline }))).status).toBe(429);
    const error = await rejection(client.send(write({ deadline })));
    expect(error).toBeInstanceOf(TimedOut);
    expect(error).toMatchObject({ outcome: "notApplied", attempts: 0 });
    expect(String(error)).toContain("was not sent: the service's rate limit holds for longer");
    expect(server.requests.length).toBe(1);
  });

  test("lets a crowd through in the end, none of which is refused more than once or twice", async () => {
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

describe("a rate limit that is lower than the requests under way", () => {
  test("refuses each of a crowd as often as it takes, while others get through", async () => {
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

  test("that lets nobody through is given up like any other refusal", async () => {
    const server = await serve((response) => json(response, 429, {}));
    const client = clientOf(server.address, { maxRetries: 2 });
    const answers = await Promise.all(["/a", "/b"].map((path) => client.send(read({ path }))));
    expect(answers.map(({ status, attempts }) => [status, attempts])).toEqual([
      [429, 3],
      [429, 3],
    ]);
  });
});

describe("a write based on a read", () => {
  test("gives back its slot at a 429, so that the next read waits in its place, and keeps its attempts", async () => {
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

  test("is not sent again by the client until its retries are used up", async () => {
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

describe("a refused connection", () => {
  test.each(["read", "write", "single-use"] as const)(
    "is tried again for a %s, for it proves that nothing happened",
    async (nature) => {
      const address = `http://127.0.0.1:${await closedPort()}`;
      const error = await rejection(clientOf(address, { maxRetries: 2 }).send(requests[nature]()));
      expect(error).toMatchObject({
        name: "Unreachable",
        attempts: 3,
        outcome: "notApplied",
        code: "ECONNREFUSED",
      });
      expect(String(error)).toContain(`nothing listens at ${address}`);
    },
  );

  test("that stands again at the next try costs nothing but the wait", async () => {
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

describe("a broken connection", () => {
  test.each([
    ["reset before the answer", ""],
    ["torn in the headers", "HTTP/1.1 200 OK\r\ncontent-le"],
    ["torn in the body", 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"a":'],
    ["torn in a chunk", 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n'],
    ["answering what is no HTTP", "SSH-2.0-OpenSSH\r\n"],
  ])("%s is tried again for a read, and unclear for a write", async (_, text) => {
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
        // Something on the way may have it: that counts where it must not be sent twice.
        outcome: request.nature === "single-use" ? "inFlight" : "unknown",
      });
    }
    expect(server.requests.length).toBe(5);
  });

  test("that a read gets over is not seen by its caller", async () => {
    const server = await serveRaw((socket, _, count) =>
      count === 1 ? socket.destroy() : socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
    );
    expect(await clientOf(server.address).send(read())).toMatchObject({ status: 200, attempts: 2 });
  });
});

describe("time", () => {
  test("that one attempt may take ends a silent read after its retries, and leaves a write unclear and perhaps on its way", async () => {
    const server = await serve(() => {});
    const client = clientOf(server.address, { timeoutMs: 30, maxRetries: 1 });
    const forRead = await rejection(client.send(read()));
    expect(forRead).toMatchObject({ name: "TimedOut", attempts: 2, outcome: "notApplied" });
    expect(String(forRead)).toContain("was not answered within 0.03 s after 2 attempts");
    expect(await rejection(client.send(write()))).toMatchObject({
      name: "UnclearAnswer",
      attempts: 1,
      outcome: "inFlight",
    });
  });

  test("counts while the body trickles in", async () => {
    const server = await serve((response) => {
      const timer = setInterval(() => response.write(" "), 5);
      response.on("close", () => clearInterval(timer));
    });
    const error = await rejection(clientOf(server.address, { timeoutMs: 60, maxRetries: 0 }).send(read()));
    expect(error).toMatchObject({ name: "TimedOut" });
  });

  test("that the whole request may take ends it in the middle of an attempt", async () => {
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

  test("that is up before the request is sent leaves it unsent", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address, { runtime });
    const error = await rejection(client.send(write({ deadline: runtime.now() })));
    expect(error).toMatchObject({ name: "TimedOut", attempts: 0, outcome: "notApplied" });
    expect(server.requests).toEqual([]);
  });

  test("that is up while others hold all connections leaves it unsent", async () => {
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

describe("a caller that gives up", () => {
  test("before the request is sent, has it not sent", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const error = await rejection(clientOf(server.address).send(write({ signal: AbortSignal.abort() })));
    expect(error).toBeInstanceOf(Cancelled);
    expect(error).toMatchObject({ outcome: "notApplied" });
    expect(server.requests).toEqual([]);
  });

  test("while the connection is made, has it not sent even when the connection stands", async () => {
    const caller = new AbortController();
    const ours = authority();
    const server = await serve((response) => json(response, 200, {}), ours.issue("127.0.0.1"));
    // What stands before the service holds the handshake back until the caller has given up.
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
      writeFileSync(join(folder, "ca.pem"), ours.cert);
      const client = clientOf(address, { tls: { caFile: join(folder, "ca.pem") } });
      const error = await rejection(client.send(write({ signal: caller.signal })));
      expect(error).toMatchObject({ name: "Cancelled", outcome: "notApplied" });
      // Closing waits for all that is under way.
      await client.close();
      expect(server.requests).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("after the connection's files were read, has it not sent", async () => {
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
      signal: AbortSignal.abort("cancelled"),
    };
    // Of a dispatcher, only this one method is used.
    const error = await rejection(exchange({ dispatch } as unknown as Dispatcher, sending));
    expect(error).toMatchObject({ reason: "cancelled", sent: false });
    expect(dispatch).not.toHaveBeenCalled();
  });

  test("in the middle of a write, is told that it may have happened, and may happen yet", async () => {
    const caller = new AbortController();
    const server = await serve(() => caller.abort());
    const error = await rejection(clientOf(server.address).send(write({ signal: caller.signal })));
    expect(error).toMatchObject({ name: "Cancelled", outcome: "inFlight" });
  });

  test("in the middle of a read, is told nothing of the kind", async () => {
    const caller = new AbortController();
    const server = await serve(() => caller.abort());
    expect(await rejection(clientOf(server.address).send(read({ signal: caller.signal })))).toMatchObject({
      name: "Cancelled",
      outcome: "notApplied",
    });
  });

  test("while it waits for another try, gets no other try", async () => {
    const caller = new AbortController();
    const server = await serve((response) => json(response, 503, {}));
    const runtime = { ...testRuntime(), sleep: async () => caller.abort() };
    const error = await rejection(
      clientOf(server.address, { runtime }).send(read({ signal: caller.signal })),
    );
    expect(error).toBeInstanceOf(Cancelled);
    expect(server.requests.length).toBe(1);
  });

  test("leaves no listener behind on a signal that lives longer", async () => {
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

test("a method that Node's own server refuses reaches the service", async () => {
  const server = await serveRaw((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"));
  await clientOf(server.address).send(read({ method: "LIST" }));
  expect(server.requests[0]?.method).toBe("LIST");
});
