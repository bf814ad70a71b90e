import { newSpan, traceContext } from "../../../provider/core/http/requestLog";
import { clientOf, closeClients, read } from "./clients";
import { json, serve, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`;

describe("traceparent", () => {
  test.each([
    ["", undefined],
    ["00", undefined],
    [`00-${"0".repeat(32)}-b7ad6b7169203331-01`, undefined],
    [`00-${TRACE}-0000000000000000-01`, undefined],
    [`00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`, undefined],
    [`${PARENT}-more`, undefined],
    [`ff-${TRACE}-b7ad6b7169203331-01`, undefined],
    [`00-${TRACE}-b7ad6b7169203331`, undefined],
    [PARENT, { traceId: TRACE, flags: 1 }],
    [`00-${TRACE}-b7ad6b7169203331-ff`, { traceId: TRACE, flags: 3 }],
    [`cc-${TRACE}-b7ad6b7169203331-00-of-a-later-version`, { traceId: TRACE, flags: 0 }],
  ])("%j is parsed as %j", (text, named) => {
    expect(traceContext(text)).toEqual(named);
  });

  test.each([
    ["congo=t61rcWkgMzE,rojo=00f067aa0ba902b7", true],
    ["", false],
    [" ", false],
    ["a=b\r\nx-evil: 1", false],
    [`a=${"x".repeat(600)}`, false],
  ])("is sent with the tracestate %j: %s", (state, isSent) => {
    const trace = traceContext(PARENT, state);
    expect(newSpan(trace)?.headers.tracestate).toBe(isSent ? state : undefined);
  });
});

describe("request", () => {
  test("sends the trace of the environment, with a new span for each attempt", async () => {
    const server = await serve((response, _, count) => json(response, count === 1 ? 503 : 200, {}));
    const env = { TRACEPARENT: PARENT, TRACESTATE: "congo=t61rcWkgMzE" };
    await clientOf(server.address, { env }).send(read());
    const sent = server.requests.map(({ headers }) => String(headers.traceparent));
    expect(sent).toEqual([1, 2].map(() => expect.stringMatching(`^00-${TRACE}-[0-9a-f]{16}-01$`)));
    expect(new Set([PARENT, ...sent]).size).toBe(3);
    expect(server.requests.map(({ headers }) => headers.tracestate)).toEqual([
      "congo=t61rcWkgMzE",
      "congo=t61rcWkgMzE",
    ]);
  });

  test("sends the trace of its own label instead of the trace of the environment", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const trace = traceContext(`00-${"a".repeat(32)}-b7ad6b7169203331-00`);
    const { label } = read();
    await clientOf(server.address, { env: { TRACEPARENT: PARENT } }).send(
      read({ label: { ...label, trace } }),
    );
    expect(server.requests[0]?.headers.traceparent).toMatch(/^00-a{32}-[0-9a-f]{16}-00$/);
  });

  test.each([{}, { TRACEPARENT: "nonsense", TRACESTATE: "a=b" }])(
    "sends no trace headers if the environment has no valid trace (%j)",
    async (env) => {
      const server = await serve((response) => json(response, 200, {}));
      await clientOf(server.address, { env }).send(read());
      const { headers } = server.requests[0] ?? { headers: {} };
      expect(Object.keys(headers).filter((name) => name.startsWith("trace"))).toEqual([]);
    },
  );

  test("does not send its trace to the origin of a redirect", async () => {
    const other = await serve((response) => json(response, 200, {}));
    const server = await serve((response) =>
      response.writeHead(307, { location: `${other.address}/v1/job/web` }).end(),
    );
    const answer = await clientOf(server.address, { env: { TRACEPARENT: PARENT } }).send(read());
    expect([answer.status, other.requests.length]).toEqual([307, 0]);
  });
});
