import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import { depthProblems } from "../../../provider/core/language/fields";
import { connect } from "../../../provider/core/requests/connection";
import { parseJson } from "../../../provider/core/value/json";
import { DEEPEST } from "../../../provider/core/value/scan";
import job from "../../../provider/services/scheduler/job";
import { scheduler } from "../../../provider/services/scheduler/service";
import { hostOf } from "../bridge/host";

function nested(depth: number): unknown {
  let value: unknown = {};
  for (let level = 1; level < depth; level += 1) value = level % 2 ? { a: value } : [1, value];
  return value;
}
const nestedText = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`;

test.each([DEEPEST + 1, 5_000, 200_000])(
  "depthProblems reports the path of a value and of a JSON text nested %d levels deep",
  (depth) => {
    const spec = { Name: "web", Tasks: [nested(depth - 2)] };
    const problems = depthProblems({ name: "web", spec, json: nestedText(depth), hcl: 'job "a" {' });
    expect(problems.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^spec\.Tasks\[0\].*…$/),
      "json.a.a.a.a.a…",
    ]);
    expect(problems[0]?.reason).toBe("is nested deeper than 500 levels");
    expect(() => parseJson(nestedText(depth + 100))).toThrow("nested too deep");
  },
);

test("depthProblems accepts documents nested up to the limit and ignores brackets in strings", () => {
  const brackets = JSON.stringify({ text: `"${"[{".repeat(1000)}`, list: [[], [], {}] });
  expect(depthProblems({ spec: nested(DEEPEST), json: nestedText(DEEPEST), other: brackets })).toEqual([]);
  expect(parseJson(nestedText(DEEPEST + 3))).toBeDefined();
});

test("the provider's check rejects documents nested 100,000 levels deep, as text and as a value", async () => {
  const host = hostOf(() => {
    throw new Error("no connection is needed");
  });
  const handler = dynamicHandler(job, () => host);
  for (const json of [nestedText(100_000), nested(100_000)]) {
    const { failures } = await handler.check({}, { json });
    expect(failures).toEqual([
      { property: "", reason: expect.stringMatching(/^json.*: is nested deeper than 500 levels$/) },
    ]);
  }
});

test("connect trims a newline at the end of a token and rejects a token that is only a newline", async () => {
  const clientHeaders: Record<string, string>[] = [];
  const connectWith = (token: string) =>
    connect(
      scheduler,
      undefined,
      {
        get: (key: string) =>
          key === "quarterdeck:dialect" ? "neutral" : JSON.stringify({ address: "http://host", token }),
        env: {},
      },
      {
        runtime: {
          now: () => 0,
          sleep: async () => undefined,
          after: () => () => undefined,
          random: () => 0,
        },
        userAgent: "test",
        warn: () => undefined,
        createClient: ({ headers, redactor }) => {
          clientHeaders.push({ ...headers, secrets: [...(redactor?.knownSecrets() ?? [])].join() });
          return { send: () => Promise.reject(new Error("nothing is sent")), close: async () => undefined };
        },
      },
    );
  const label = { definition: "scheduler:Job", step: "read" };
  const request = { method: "GET", path: "/jobs", nature: "read", label } as const;
  await expect(connectWith("s3cr3t-token\r\n").send(request)).rejects.toThrow("nothing is sent");
  expect(Object.values(clientHeaders[0] ?? {})).toEqual(["s3cr3t-token", "s3cr3t-token"]);
  expect(() => connectWith("\n")).toThrow("token");
});
