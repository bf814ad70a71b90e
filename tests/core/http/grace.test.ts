import type { ServerResponse } from "node:http";
import { Cancelled, TimedOut } from "../../../provider/core/http/errors";
import { clientOf, closeClients, read, rejection, testRuntime } from "./clients";
import { json, serve, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

/** A server that answers when the test says so; `next` waits for a request. */
async function holding() {
  const held: { url: string; response: ServerResponse }[] = [];
  const waiting: (() => void)[] = [];
  const server = await serve((response, { url }) => {
    held.push({ url, response });
    waiting.shift()?.();
  });
  const next = async () => {
    if (held.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const one = held.shift();
    if (one === undefined) throw new Error("nobody asked");
    const answer = (status = 200, headers = {}) => json(one.response, status, {}, headers);
    return { url: one.url, answer };
  };
  /** Answers so many requests, one after the other, as they come; where they went. */
  const answered = async (count: number) => {
    const urls: string[] = [];
    for (let number = 0; number < count; number++) {
      const { url, answer } = await next();
      urls.push(url);
      answer();
    }
    return urls;
  };
  return { ...server, next, answered };
}

const LOOKED_AT = read({ nature: "write", method: "DELETE", path: "/looked-at", followsRead: true });

describe("what changes something that was just looked at", () => {
  test("goes before all requests that only begin, while they wait for a place", async () => {
    const server = await holding();
    const client = clientOf(server.address, { maxConnections: 1 });
    const all = [client.send(read({ path: "/first" }))];
    const first = await server.next();
    all.push(client.send(read({ path: "/another-look" })), client.send(LOOKED_AT));
    first.answer();
    const urls = await server.answered(2);
    await Promise.all(all);
    expect(urls).toEqual(["/looked-at", "/another-look"]);
  });
});

test("who was just answered sends what follows before a request that only begins takes the place", async () => {
  const server = await holding();
  const client = clientOf(server.address, { maxConnections: 1 });
  const step = client.send(read({ path: "/look" })).then(() => client.send(LOOKED_AT));
  const look = await server.next();
  const other = client.send(read({ path: "/another-look" }));
  look.answer();
  expect(await server.answered(2)).toEqual(["/looked-at", "/another-look"]);
  await Promise.all([step, other]);
});

describe("a look after an unclear write", () => {
  test("goes before all requests that wait for a place", async () => {
    const server = await holding();
    const client = clientOf(server.address, { maxConnections: 1 });
    const all = [client.send(read({ path: "/first" }))];
    const first = await server.next();
    all.push(client.send(read({ path: "/other" })), client.send(read({ path: "/look", grace: 20_000 })));
    first.answer();
    const urls = await server.answered(2);
    await Promise.all(all);
    expect(urls).toEqual(["/look", "/other"]);
  });

  test("has its time from when it is let through, however long it waited", async () => {
    const server = await holding();
    const runtime = testRuntime();
    const client = clientOf(server.address, { maxConnections: 1, runtime });
    const busy = client.send(read({ path: "/busy" }));
    const first = await server.next();
    const look = client.send(read({ path: "/look", grace: 20_000 }));
    await runtime.sleep(110_000);
    first.answer();
    (await server.next()).answer(503, { "retry-after": "15" });
    (await server.next()).answer();
    expect(await look).toMatchObject({ status: 200, attempts: 2 });
    await busy;
  });

  test("is asked again within its grace, and no longer", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 503, {}, { "retry-after": "8" }));
    const answer = await clientOf(server.address, { runtime }).send(read({ grace: 20_000 }));
    expect(answer).toMatchObject({ status: 503, attempts: 3 });
    expect(runtime.slept).toEqual([8125, 8125]);
  });

  test("does not begin its time anew with every attempt", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 502, {}, { "retry-after": "11" }));
    const answer = await clientOf(server.address, { runtime }).send(read({ grace: 20_000 }));
    expect(answer).toMatchObject({ status: 502, attempts: 2 });
  });

  test("takes no notice of a deadline that has passed", async () => {
    const runtime = testRuntime();
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address, { runtime });
    const deadline = runtime.now() - 1;
    expect(await rejection(client.send(read({ deadline })))).toBeInstanceOf(TimedOut);
    expect(await client.send(read({ deadline, grace: 20_000 }))).toMatchObject({ status: 200 });
  });

  test("ends with its grace where nobody answers", async () => {
    const server = await holding();
    let endGrace: (() => void) | undefined;
    const runtime = {
      ...testRuntime(),
      after: (ms: number, run: () => void) => {
        if (ms === 20_000) endGrace = run;
        return () => undefined;
      },
    };
    const look = clientOf(server.address, { runtime }).send(read({ grace: 20_000 }));
    await server.next();
    endGrace?.();
    expect(await rejection(look)).toBeInstanceOf(TimedOut);
  });

  test("ends where whoever looks gives up", async () => {
    const server = await holding();
    const caller = new AbortController();
    const look = clientOf(server.address).send(read({ grace: 20_000, signal: caller.signal }));
    await server.next();
    caller.abort();
    expect(await rejection(look)).toBeInstanceOf(Cancelled);
  });
});

test("a request that comes again after a failure goes before all that come first", async () => {
  const server = await holding();
  const client = clientOf(server.address, { maxConnections: 1 });
  const all = ["/again", "/other", "/last"].map((path) => client.send(read({ path })));
  (await server.next()).answer(503);
  const other = await server.next();
  // What failed has slept by now, and waits for its place.
  await new Promise((resolve) => setImmediate(resolve));
  other.answer();
  const urls = [other.url, ...(await server.answered(2))];
  await Promise.all(all);
  expect(urls).toEqual(["/again", "/other", "/last"]);
});
