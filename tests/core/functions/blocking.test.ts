import { blockingRules } from "../../../provider/core/functions/asked";
import type { HttpRequest, HttpResponse } from "../../../provider/core/http/request";
import type { Values } from "../../../provider/core/language/object";
import { brokenRules } from "../../../provider/core/language/rules";
import type { RequestContext } from "../../../provider/core/language/stepInput";
import { askBlocking } from "../../../provider/core/requests/blocking";
import { allFunctions } from "../../../provider/functions";

const NOW = 1_000_000;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The request for these arguments, with a deadline in one minute. */
async function sentFor(args: Values, isBounded = false): Promise<HttpRequest> {
  const sent: HttpRequest[] = [];
  const answer: HttpResponse = { status: 200, headers: {}, text: "", json: null, attempts: 1 };
  const connection = {
    runtime: { now: () => NOW },
    service: {},
    dialect: {},
    async send(request: HttpRequest) {
      sent.push(request);
      return answer;
    },
  };
  // A blocking query uses only these members of its connection.
  const context = { connection, label: {}, deadline: NOW + MINUTE } as unknown as RequestContext;
  const route = { method: "GET", path: "/things" } as const;
  await askBlocking(context, { route, address: {}, query: { more: "true" }, isBounded }, args);
  const [request] = sent;
  if (request === undefined) throw new Error("nothing was sent");
  return request;
}

describe("a blocking query", () => {
  test("sends the index and the wait with its own parameters", async () => {
    const { query } = await sentFor({ index: "18446744073709551615", wait: "10s" });
    expect(query).toEqual({ index: "18446744073709551615", wait: "10s", more: "true" });
  });

  test.each<Values>([{}, { index: "0" }, { index: "000" }, { index: "0", wait: "5m" }])(
    "without an index is a plain request: %j",
    async (args) => {
      const { query, timeoutMs, deadline } = await sentFor(args);
      expect(query).toEqual({ more: "true" });
      expect(timeoutMs).toBeUndefined();
      expect(deadline).toBe(NOW + MINUTE);
    },
  );

  test.each([
    ["10s", 10 * SECOND],
    ["10m", 10 * MINUTE],
    ["1h", 10 * MINUTE],
    ["0s", 5 * MINUTE],
    [undefined, 5 * MINUTE],
  ])(
    "with a wait of %s has a timeout longer than the wait plus the server's extra sixteenth",
    async (wait, ms) => {
      const { timeoutMs = 0, deadline } = await sentFor({ index: "7", ...(wait !== undefined && { wait }) });
      expect(timeoutMs).toBeGreaterThan((ms * 17) / 16);
      expect(deadline).toBe(NOW + Math.max(MINUTE, timeoutMs));
    },
  );

  test("keeps the caller's deadline if it is bounded", async () => {
    expect((await sentFor({ index: "7", wait: "10m" }, true)).deadline).toBe(NOW + MINUTE);
  });
});

describe("the rules of a blocking query", () => {
  test.each<[Values, readonly string[]]>([
    [{ index: "7", wait: "10m" }, []],
    [{ index: "7", wait: "600s" }, []],
    [{ index: "7" }, []],
    [{ index: "7", wait: "10m1s" }, []],
    [{ index: "7", wait: "1h" }, []],
    [{ index: "7", wait: "0s" }, []],
    [{ index: "7", wait: "0" }, []],
    [{ index: "7", wait: ".5s" }, []],
    [{ index: "7", wait: "soon" }, ["wait"]],
    [{ index: "7", wait: "-5s" }, ["wait"]],
    [{ index: "7", wait: "60" }, ["wait"]],
    [{ index: "7", wait: "0.001d" }, ["wait"]],
    [{ index: "7", wait: " 5m " }, ["wait"]],
    [{ index: "7", wait: "1.5m10s" }, []],
    [{ wait: "1m" }, []],
  ])("report for %j problems at %j", (args, broken) => {
    expect(brokenRules(blockingRules, args).map(({ problem }) => problem.path)).toEqual(broken);
  });

  test("apply to every function with a wait argument", () => {
    const waiting = allFunctions().filter(({ fields }) => "wait" in fields);
    expect(waiting.length).toBeGreaterThanOrEqual(10);
    expect(blockingRules).toHaveLength(1);
    for (const { rules } of waiting) expect(rules).toEqual(expect.arrayContaining([...blockingRules]));
  });
});
