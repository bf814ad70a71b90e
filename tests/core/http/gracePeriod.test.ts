import type { ServerResponse } from "node:http";
import { Canceled, TimedOut } from "../../../provider/core/http/errors";
import { clientOf, closeClients, read, rejection, testRuntime } from "./clients";
import { json, serve, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

/** A server that responds only if the test calls `answer`; `next` waits for a request. */
async function serveOnDemand() {
  const held: { url: string; response: ServerResponse }[] = [];
  const waiting: (() => void)[] = [];
  const server = await serve((response, { url }) => {
    held.push({ url, response });
    waiting.shift()?.();
  });
  const next = async () => {
    if (held.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const one = held.shift();
    if (one === undefined) throw new Error("there was no request");
    const answer = (status = 200, headers = {}) => json(one.response, status, {}, headers);
    return { url: one.url, answer };
  };
  /** Responds to the next `count` requests in order, and returns their URLs. */
  const answerNext = async (count: number) => {
    const urls: string[] = [];
    for (let number = 0; number < count; number++) {
      const { url, answer } = await next();
      urls.push(url);
      answer();
    }
    return urls;
  };
  return { ...server, next, answerNext };
}

const WRITE_AFTER_READ = read({ nature: "write", method: "DELETE", path: "/looked-at", followsRead: true });

describe("write after a read", () => {
  test("gets the next free connection before new requests", async () => {
    const server = await serveOnDemand();
    const client = clientOf(server.address, { maxConnections: 1 });
    const all = [client.send(read({ path: "/first" }))];
    const first = await server.next();
    all.push(client.send(read({ path: "/another-look" })), client.send(WRITE_AFTER_READ));
    first.answer();
    const urls = await server.answerNext(2);
    await Promise.all(all);
    expect(urls).toEqual(["/looked-at", "/another-look"]);
  });
});

test("a write after a read reuses the connection of its read before a waiting new request", async () => {
  const server = await serveOnDemand();
  const client = clientOf(server.address, { maxConnections: 1 });
  const step = client.send(read({ path: "/look" })).then(() => client.send(WRITE_AFTER_READ));
  const probe = await server.next();
  const other = client.send(read({ path: "/another-look" }));
  probe.answer();
  expect(await server.answerNext(2)).toEqual(["/looked-at", "/another-look"]);
  await Promise.all([step, other]);
});

describe("probe after a write with an unknown outcome", () => {
  test("gets the next free connection before waiting requests", async () => {
    const server = await serveOnDemand();
    const client = clientOf(server.address, { maxConnections: 1 });
    const all = [client.send(read({ path: "/first" }))];
    const first = await server.next();
    all.push(client.send(read({ path: "/other" })), client.send(read({ path: "/look", grace: 20_000 })));
    first.answer();
    const urls = await server.answerNext(2);
    await Promise.all(all);
    expect(urls).toEqual(["/look", "/other"]);
  });

  test("starts its time limit when it gets a connection, not while it waits", async () => {
    const server = await serveOnDemand();
    const runtime = testRuntime();
    const client = clientOf(server.address, { maxConnections: 1, runtime });
    const busy = client.send(read({ path: "/busy" }));
    const first = await server.next();
    const probe = client.send(read({ path: "/look", grace: 20_000 }));
    await runtime.sleep(110_000);
    first.answer();
    (await server.next()).answer(503, { "retry-after": "15" });
    (await server.next()).answer();
    expect(await probe).toMatchObject({ status: 200, attempts: 2 });
    await busy;
  });

  test("is retried only within its grace period", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 503, {}, { "retry-after": "8" }));
    const answer = await clientOf(server.address, { runtime }).send(read({ grace: 20_000 }));
    expect(answer).toMatchObject({ status: 503, attempts: 3 });
    expect(runtime.slept).toEqual([8125, 8125]);
  });

  test("does not restart its grace period at every attempt", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 502, {}, { "retry-after": "11" }));
    const answer = await clientOf(server.address, { runtime }).send(read({ grace: 20_000 }));
    expect(answer).toMatchObject({ status: 502, attempts: 2 });
  });

  test("ignores a deadline that has passed", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address, { runtime });
    const deadline = runtime.now() - 1;
    expect(await rejection(client.send(read({ deadline })))).toBeInstanceOf(TimedOut);
    expect(await client.send(read({ deadline, grace: 20_000 }))).toMatchObject({ status: 200 });
  });

  test("times out at the end of its grace period if the server does not respond", async () => {
    const server = await serveOnDemand();
    let endGrace: (() => void) | undefined;
    const runtime = {
      ...testRuntime(),
      after: (ms: number, run: () => void) => {
        if (ms === 20_000) endGrace = run;
        return () => undefined;
      },
    };
    const probe = clientOf(server.address, { runtime }).send(read({ grace: 20_000 }));
    await server.next();
    endGrace?.();
    expect(await rejection(probe)).toBeInstanceOf(TimedOut);
  });

  test("is canceled by its caller's signal", async () => {
    const server = await serveOnDemand();
    const caller = new AbortController();
    const probe = clientOf(server.address).send(read({ grace: 20_000, signal: caller.signal }));
    await server.next();
    caller.abort();
    expect(await rejection(probe)).toBeInstanceOf(Canceled);
  });
});

test("a retry after a failure is sent before waiting new requests", async () => {
  const server = await serveOnDemand();
  const client = clientOf(server.address, { maxConnections: 1 });
  const all = ["/again", "/other", "/last"].map((path) => client.send(read({ path })));
  (await server.next()).answer(503);
  const other = await server.next();
  // The failed request has finished its pause and waits for a connection.
  await new Promise((resolve) => setImmediate(resolve));
  other.answer();
  const urls = [other.url, ...(await server.answerNext(2))];
  await Promise.all(all);
  expect(urls).toEqual(["/again", "/other", "/last"]);
});
