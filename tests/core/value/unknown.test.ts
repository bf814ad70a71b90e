import { metadataOf, withMetadata } from "../../../provider/core/value/programInputs";
import { asKnown, isKnown, knownAmong, UNKNOWN, type Value } from "../../../provider/core/value/unknown";

const partlyUnknown: Value = { a: [1, { b: UNKNOWN }] };

test("asKnown returns a completely known value and throws if any part is unknown, at any depth", () => {
  expect(asKnown({ a: [1, null] })).toEqual({ a: [1, null] });
  const values: Value[] = [UNKNOWN, partlyUnknown, [partlyUnknown]];
  for (const value of values) expect(() => asKnown(value)).toThrow("is still unknown");
  expect(() => asKnown({ first: 1, second: partlyUnknown })).toThrow("is still unknown");
});

test("asKnown preserves the metadata of inputs", () => {
  const inputs = withMetadata({ a: 1 }, { secretPaths: ["a"] });
  expect(metadataOf(asKnown(inputs)).secretPaths).toEqual(["a"]);
});

test("isKnown and knownAmong accept only completely known values", () => {
  const values: (Value | undefined)[] = [partlyUnknown, UNKNOWN, undefined, null, "", 0, { a: [] }];
  expect(values.map((value) => isKnown(value))).toEqual([false, false, false, true, true, true, true]);
  expect(knownAmong({ partlyUnknown, plain: 1, nothing: null })).toEqual({ plain: 1, nothing: null });
});
