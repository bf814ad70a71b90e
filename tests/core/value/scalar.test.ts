import { type Json, parseJson } from "../../../provider/core/value/json";
import { numberIn, stringIn, textIn, wholeIn } from "../../../provider/core/value/scalar";

const ODD = '{"toString":1,"valueOf":2}';

test.each<[Json | undefined, string]>([
  ["a b", "a b"],
  [7, "7"],
  [9_007_199_254_740_993n, "9007199254740993"],
  [true, "true"],
  [null, "null"],
  [undefined, ""],
  [[1, "a"], '[1,"a"]'],
  [parseJson(ODD), ODD],
  [[parseJson(ODD)], `[${ODD}]`],
])("wordIn(%p) returns %j", (value, word) => {
  expect(stringIn(value)).toBe(word);
});

test("textIn, wholeIn and numberIn return undefined for undefined, null, a list and an object", () => {
  for (const value of [undefined, null, [], parseJson(ODD)])
    expect([textIn(value), wholeIn(value), numberIn(value)]).toEqual([undefined, undefined, undefined]);
});
