import fc from "fast-check";
import { type ExpectedResponse, isExpectedResponse } from "../../../provider/core/language/route";
import { formatJson, type Json } from "../../../provider/core/value/json";
import { answered } from "../requests/caller";

const MEMBERS: ExpectedResponse = ["id", "name"];

describe("isAsSaid", () => {
  test.each<[string, ExpectedResponse, ReturnType<typeof answered>]>([
    ["204 without a body", "nothing", answered(204)],
    ["202 without a body", "accepted", answered(202)],
    ["the value true", "true", answered(200, true)],
    ["the documented members", MEMBERS, answered(200, { id: "q-1", name: "east", more: [] })],
    ["the documented members inside data", MEMBERS, answered(201, { data: { id: "q-1", name: "east" } })],
    [
      "one member at the top level and one inside data",
      MEMBERS,
      answered(200, { id: "q-1", data: { name: "east" } }),
    ],
    ["documented members that are zero or false", MEMBERS, answered(200, { id: 0, name: false })],
  ])("accepts %s", (_, answers, answer) => {
    expect(isExpectedResponse(answers, answer)).toBe(true);
  });

  test.each<[string, ExpectedResponse, ReturnType<typeof answered>]>([
    ["200 without a body", "nothing", answered(200)],
    ["200 with only whitespace", "nothing", answered(200, undefined, " \n")],
    ["an object instead of no content", "nothing", answered(200, {})],
    ["null instead of no content", "nothing", answered(200, null)],
    ["an HTML page instead of no content", "nothing", answered(200, undefined, "<html></html>")],
    ["200 instead of 202", "accepted", answered(200, undefined, "<html></html>")],
    ["the string true instead of the value true", "true", answered(200, "true")],
    ["false instead of true", "true", answered(200, false)],
    ["1 instead of true", "true", answered(200, 1)],
    ["204 instead of true", "true", answered(204)],
    ["204 instead of members", MEMBERS, answered(204)],
    ["null instead of members", MEMBERS, answered(200, null)],
    ["an empty object", MEMBERS, answered(200, {})],
    ["a list with the object", MEMBERS, answered(200, [{ id: "q-1", name: "east" }])],
    ["true instead of members", MEMBERS, answered(200, true)],
    ["only one of two members", MEMBERS, answered(200, { id: "q-1" })],
    ["two members, one of them null", MEMBERS, answered(200, { id: "q-1", name: null })],
    ["two members, one of them an empty string", MEMBERS, answered(200, { id: "", name: "east" })],
    [
      "members inside a property other than data",
      MEMBERS,
      answered(200, { other: { id: "q-1", name: "east" } }),
    ],
    ["an object that only inherits the member", ["constructor"], answered(200, {})],
  ])("rejects %s", (_, answers, answer) => {
    expect(isExpectedResponse(answers, answer)).toBe(false);
  });

  test("rejects every status outside 2xx, even with the documented body", () => {
    for (const status of [199, 300, 302, 400, 404, 500, 502]) {
      expect(isExpectedResponse("nothing", answered(status))).toBe(false);
      expect(isExpectedResponse("true", answered(status, true))).toBe(false);
      expect(isExpectedResponse(MEMBERS, answered(status, { id: "q-1", name: "east" }))).toBe(false);
    }
  });

  test("a JSON value matches at most one kind of documented response", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // The generated value is valid JSON.
        const answer = answered(200, JSON.parse(formatJson(value as Json)));
        const matching = (["nothing", "true", ["id"]] as const).filter((answers) =>
          isExpectedResponse(answers, answer),
        );
        expect(matching.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("accepts a response with only the index of the write in its header", () => {
    const names = { index: "X-Store-Index" };
    const withIndex = (index: string, text = "") => ({
      ...answered(200, undefined, text),
      headers: { "x-store-index": index },
    });
    expect(isExpectedResponse("index", withIndex("12"), names)).toBe(true);
    expect(isExpectedResponse("index", withIndex("12", " \n"), names)).toBe(true);
    for (const answer of [
      withIndex("0"),
      withIndex("soon"),
      withIndex("12", "null"),
      answered(200),
      answered(204),
    ])
      expect(isExpectedResponse("index", answer, names)).toBe(false);
    expect(isExpectedResponse("index", withIndex("12"))).toBe(false);
    expect(isExpectedResponse("index", { ...withIndex("12"), status: 500 }, names)).toBe(false);
  });
});
