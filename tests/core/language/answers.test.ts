import fc from "fast-check";
import { type Answers, isAsSaid } from "../../../provider/core/language/route";
import { formatJson, type Json } from "../../../provider/core/value/json";
import { answered } from "../requests/asking";

const MEMBERS: Answers = ["id", "name"];

describe("an answer is what its page says", () => {
  test.each<[string, Answers, ReturnType<typeof answered>]>([
    ["no content", "nothing", answered(204)],
    ["the word true", "true", answered(200, true)],
    ["its members", MEMBERS, answered(200, { id: "q-1", name: "east", more: [] })],
    ["its members in its data", MEMBERS, answered(201, { data: { id: "q-1", name: "east" } })],
    ["a member here and one in its data", MEMBERS, answered(200, { id: "q-1", data: { name: "east" } })],
    ["members that are zero or false", MEMBERS, answered(200, { id: 0, name: false })],
  ])("by %s", (_, answers, answer) => {
    expect(isAsSaid(answers, answer)).toBe(true);
  });

  test.each<[string, Answers, ReturnType<typeof answered>]>([
    ["another success without a body", "nothing", answered(200)],
    ["another success with blanks alone", "nothing", answered(200, undefined, " \n")],
    ["an object where nothing is answered", "nothing", answered(200, {})],
    ["null where nothing is answered", "nothing", answered(200, null)],
    ["a page where nothing is answered", "nothing", answered(200, undefined, "<html></html>")],
    ["the text true", "true", answered(200, "true")],
    ["false", "true", answered(200, false)],
    ["one", "true", answered(200, 1)],
    ["nothing where true is answered", "true", answered(204)],
    ["no body", MEMBERS, answered(204)],
    ["null", MEMBERS, answered(200, null)],
    ["an empty object", MEMBERS, answered(200, {})],
    ["a list of it", MEMBERS, answered(200, [{ id: "q-1", name: "east" }])],
    ["true", MEMBERS, answered(200, true)],
    ["one of two members", MEMBERS, answered(200, { id: "q-1" })],
    ["a member that is null", MEMBERS, answered(200, { id: "q-1", name: null })],
    ["a member that is empty", MEMBERS, answered(200, { id: "", name: "east" })],
    ["members in another's data", MEMBERS, answered(200, { other: { id: "q-1", name: "east" } })],
    ["members that no object of its own has", ["constructor"], answered(200, {})],
  ])("not by %s", (_, answers, answer) => {
    expect(isAsSaid(answers, answer)).toBe(false);
  });

  test("and by no status but a success, whatever it holds", () => {
    for (const status of [199, 300, 302, 400, 404, 500, 502]) {
      expect(isAsSaid("nothing", answered(status))).toBe(false);
      expect(isAsSaid("true", answered(status, true))).toBe(false);
      expect(isAsSaid(MEMBERS, answered(status, { id: "q-1", name: "east" }))).toBe(false);
    }
  });

  test("and of every answer at most one page says it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // What is made for JSON is JSON.
        const answer = answered(200, JSON.parse(formatJson(value as Json)));
        const said = (["nothing", "true", ["id"]] as const).filter((answers) => isAsSaid(answers, answer));
        expect(said.length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
