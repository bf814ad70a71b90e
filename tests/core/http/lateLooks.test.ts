import { serviceError } from "../../../provider/core/http/errors";
import { clientOf, closeClients, read, testRuntime, write } from "./clients";
import { json, serve, stopServers } from "./servers";

/** What a write asks whose turn comes long after what it changes was looked at. */

afterEach(async () => {
  await closeClients();
  await stopServers();
});

/** A service that answers at once, and a write whose look was so long ago when it is handed over. */
async function scene({ ago = 0, look = async (): Promise<void> => undefined } = {}) {
  const asked: string[] = [];
  const server = await serve((response, { method, url }) => {
    asked.push(`${method} ${url}`);
    const isRefused =
      url?.includes("/other") === true && asked.filter((line) => line.includes("/other")).length === 1;
    json(response, isRefused ? 429 : 200, {}, isRefused ? { "retry-after": "60" } : {});
  });
  const runtime = testRuntime();
  const client = clientOf(server.address, { runtime, maxConnections: 1 });
  let at = runtime.now() - ago;
  const beforeAgain = async () => {
    await client.send(read({ path: "/look" }));
    await look();
    at = runtime.now();
  };
  return { asked, runtime, client, request: write({ path: "/write", beforeAgain, lookedAt: () => at }) };
}

const lines = (asked: readonly string[]) => asked.map((line) => line.replace(/^(\w+) .*\/(\w+)$/, "$1 $2"));

test("is nothing where the look was a moment ago", async () => {
  const { asked, client, request } = await scene({ ago: 400 });
  await client.send(request);
  expect(lines(asked)).toEqual(["PUT write"]);
});

test("is one look where that was long ago: a login, an election", async () => {
  const { asked, client, request } = await scene({ ago: 5_000 });
  expect(await client.send(request)).toMatchObject({ status: 200, attempts: 1 });
  expect(lines(asked)).toEqual(["GET look", "PUT write"]);
});

test("is one look after the pause that another request's rate limit has made", async () => {
  const { asked, client, request } = await scene();
  const other = client.send(read({ path: "/other" }));
  // The only place is the other's, so that ours waits until the limit is known.
  await client.send(request);
  await other;
  expect(lines(asked).filter((line) => line !== "GET other")).toEqual(["GET look", "PUT write"]);
});

test("forbids it where it has moved: nothing is sent", async () => {
  const look = async () => Promise.reject(new RangeError("it moved"));
  const { asked, client, request } = await scene({ ago: 5_000, look });
  await expect(client.send(request)).rejects.toThrow("it moved");
  expect(lines(asked)).toEqual(["GET look"]);
});

test("is told as it is where it cannot be answered, before anything was sent", async () => {
  const failure = serviceError("forbidden", {
    service: "scheduler",
    method: "GET",
    path: "/look",
    event: "answered 403",
    advice: "",
    attempts: 1,
    unclear: false,
  });
  const { asked, client, request } = await scene({ ago: 5_000, look: () => Promise.reject(failure) });
  await expect(client.send(request)).rejects.toBe(failure);
  expect(lines(asked)).toEqual(["GET look"]);
});

test("is no look for ever, where each request takes longer than what is late", async () => {
  const { asked, client, request } = await scene();
  await client.send({ ...request, lookedAt: () => 0 });
  expect(lines(asked)).toEqual(["GET look", "GET look", "GET look", "PUT write"]);
});
