import { Attempts } from "../../../provider/core/http/request";
import { basedOnRead, NotSent } from "../../../provider/core/http/retry";
import { clientOf, closeClients, read, rejection, testRuntime, write } from "./clients";
import { json, serve, stopServers } from "./servers";

/** A write based on a read is not sent if its turn comes long after the read. */

afterEach(async () => {
  await closeClients();
  await stopServers();
});

/** A server that responds at once, and a write based on a read that ended so many milliseconds ago. */
async function scene(ago = 0) {
  const asked: string[] = [];
  const server = await serve((response, { method, url = "" }) => {
    asked.push(`${method} ${url.split("/").at(-1)}`);
    const isFirst = asked.filter((line) => line.endsWith("other")).length === 1;
    const isRejected = url.includes("/other") && isFirst;
    json(response, isRejected ? 429 : 200, {}, isRejected ? { "retry-after": "60" } : {});
  });
  const runtime = testRuntime();
  const client = clientOf(server.address, { runtime, maxConnections: 1 });
  const attempts = new Attempts(runtime.now());
  const request = () => write({ path: "/write", ...basedOnRead(attempts, runtime.now() - ago) });
  return { asked, client, attempts, request };
}

test("a write is sent if the read ended a moment ago", async () => {
  const { asked, client, request } = await scene(400);
  await client.send(request());
  expect(asked).toEqual(["PUT write"]);
});

test("a write is not sent if the read ended long ago, as after a login or an election", async () => {
  const { asked, client, request, attempts } = await scene(5_000);
  expect(await rejection(client.send(request()))).toBeInstanceOf(NotSent);
  expect(asked).toEqual([]);
  expect(attempts.count).toBe(0);
});

test("a write is not sent after the pause that the rate limit of another request causes", async () => {
  const { asked, client, request } = await scene();
  const other = client.send(read({ path: "/other" }));
  // The only slot belongs to the other request, so the write waits until the limit is known.
  expect(await rejection(client.send(request()))).toBeInstanceOf(NotSent);
  await other;
  await client.send(request());
  expect(asked).toEqual(["GET other", "GET other", "PUT write"]);
});

test("a write is sent at the fourth call if each read takes too long", async () => {
  const { asked, client, request } = await scene(5_000);
  for (let call = 0; call < 3; call++)
    expect(await rejection(client.send(request()))).toBeInstanceOf(NotSent);
  expect(await client.send(request())).toMatchObject({ status: 200, attempts: 1 });
  expect(asked).toEqual(["PUT write"]);
});
