import { warningsInHeaders } from "../../../provider/core/http/request";

const warningsIn = (headers: Readonly<Record<string, string>>) =>
  warningsInHeaders({ headers }).map(({ text }) => text);

describe("warnings in HTTP headers", () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["no header", {}, []],
    ["Warning with one text", { warning: '299 - "use the other one"' }, ["use the other one"]],
    [
      "Warning with several texts that contain quotes and commas",
      { warning: '299 a:1 "say \\"no\\", please", 214 b "two"' },
      ['say "no", please', "two"],
    ],
    ["Warning of a cache, which is ignored", { warning: '110 proxy "response is stale"' }, []],
    ["invalid Warning, which is ignored", { warning: "beware" }, []],
    [
      "Deprecation with a date",
      { deprecation: "@1688169599" },
      ["this endpoint is deprecated since 2023-06-30T23:59:59.000Z"],
    ],
    ["Deprecation as in earlier drafts", { deprecation: "true" }, ["this endpoint is deprecated"]],
    [
      "Sunset",
      { sunset: "Sat, 31 Dec 2033 23:59:59 GMT" },
      ["this endpoint ends on Sat, 31 Dec 2033 23:59:59 GMT"],
    ],
  ])("%s", (_, headers, texts) => {
    expect(warningsIn(headers)).toEqual(texts);
  });
});
