import { warningsInHeaders } from "../../../provider/core/http/request";

const told = (headers: Readonly<Record<string, string>>) =>
  warningsInHeaders({ headers }).map(({ text }) => text);

describe("what HTTP's own headers warn of", () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["nothing", {}, []],
    ["a text", { warning: '299 - "use the other one"' }, ["use the other one"]],
    [
      "several texts, which may hold quotes and commas",
      { warning: '299 a:1 "say \\"no\\", please", 214 b "two"' },
      ['say "no", please', "two"],
    ],
    ["a cache, which says nothing of the service", { warning: '110 proxy "response is stale"' }, []],
    ["what is no warning", { warning: "beware" }, []],
    [
      "a deprecation with its date",
      { deprecation: "@1688169599" },
      ["this endpoint is deprecated since 2023-06-30T23:59:59.000Z"],
    ],
    ["a deprecation as drafts had it", { deprecation: "true" }, ["this endpoint is deprecated"]],
    [
      "an end",
      { sunset: "Sat, 31 Dec 2033 23:59:59 GMT" },
      ["this endpoint is said to end at Sat, 31 Dec 2033 23:59:59 GMT"],
    ],
  ])("%s", (_, headers, texts) => {
    expect(told(headers)).toEqual(texts);
  });
});
