import type { HttpRequest, HttpResponse } from "../../../provider/core/http/request";
import type { ObjectContext } from "../../../provider/core/language/resource";
import { follow } from "../../../provider/core/requests/blocking";
import type { Json } from "../../../provider/core/value/json";
import { exampleDefinition } from "../../generate/exampleDefinition";

const query = { route: { method: "GET", path: "/tides" }, address: {} } as const;
const overdue = () => new Error("the tide never came");

/** A step of 100 seconds whose service gives these responses in order; each request takes `takes` milliseconds. */
function step(answers: readonly Partial<HttpResponse>[], takes = 0) {
  const sent: HttpRequest[] = [];
  let now = 0;
  const connection = {
    service: { ...exampleDefinition.service, prefix: "/v1" },
    dialect: { headers: { index: "X-Index" } },
    runtime: {
      now: () => now,
      sleep: async (ms: number) => {
        now += ms;
      },
      random: () => 0.5,
    },
    send: async (request: HttpRequest): Promise<HttpResponse> => {
      sent.push(request);
      now += takes;
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      return {
        status: 200,
        headers: { "x-index": String(sent.length) },
        text: "",
        attempts: 1,
        json: undefined,
        ...answer,
      };
    },
  };
  const label = { definition: exampleDefinition.token, step: "create" };
  // Only the parts of a step that `follow` uses.
  const context = {
    definition: exampleDefinition,
    connection,
    label,
    deadline: 100_000,
  } as unknown as ObjectContext;
  return { context, sent };
}

const high = (answer: Json) => (answer === "high" ? "high water" : undefined);

test("follow repeats its query with the index of the last response until a response decides it", async () => {
  const { context, sent } = step([{ json: "low" }, { json: "rising" }, { json: "high" }]);
  expect(await follow(context, query, high, overdue)).toBe("high water");
  expect(sent.map((request) => request.query)).toEqual([
    {},
    { index: "1", wait: "94s" },
    { index: "2", wait: "94s" },
  ]);
});

test("follow fails with the given error when the time of the step is over", async () => {
  const { context, sent } = step([{ json: "low" }], 40_000);
  await expect(follow(context, query, high, overdue)).rejects.toThrow("the tide never came");
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ deadline }) => deadline))).toEqual(new Set([100_000]));
});

test("follow retries after a 503 of a gateway, but fails after other error statuses", async () => {
  const passing = step([{ status: 503, text: "busy" }, { json: "high" }]);
  expect(await follow(passing.context, query, high, overdue)).toBe("high water");
  for (const status of [400, 403, 404, 500]) {
    const { context, sent } = step([{ status, text: "no" }]);
    await expect(follow(context, query, high, overdue)).rejects.toThrow(`returned ${status}`);
    expect(sent).toHaveLength(1);
  }
});
