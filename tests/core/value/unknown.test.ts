import { metadataOf, withMetadata } from "../../../provider/core/value/programInputs";
import { asKnown, isKnown, knownAmong, UNKNOWN, type Value } from "../../../provider/core/value/unknown";

const open: Value = { a: [1, { b: UNKNOWN }] };

test("what may be unknown becomes what is known at one gate, which lets nothing unknown through, however deep", () => {
  expect(asKnown({ a: [1, null] })).toEqual({ a: [1, null] });
  const values: Value[] = [UNKNOWN, open, [open]];
  for (const value of values) expect(() => asKnown(value)).toThrow("not known yet");
  expect(() => asKnown({ first: 1, second: open })).toThrow("not known yet");
});

test("what goes along with inputs goes through the gate with them", () => {
  const inputs = withMetadata({ a: 1 }, { secretPaths: ["a"] });
  expect(metadataOf(asKnown(inputs)).secretPaths).toEqual(["a"]);
});

test("only what is known as a whole is known", () => {
  const values: (Value | undefined)[] = [open, UNKNOWN, undefined, null, "", 0, { a: [] }];
  expect(values.map((value) => isKnown(value))).toEqual([false, false, false, true, true, true, true]);
  expect(knownAmong({ open, plain: 1, nothing: null })).toEqual({ plain: 1, nothing: null });
});
