import { BoundedCache, memoByObject, memoByText } from "../../../provider/core/value/memo";
import { scanJson } from "../../../provider/core/value/scan";

test("what is remembered is bounded: what was asked for longest ago goes first", () => {
  const memory = new BoundedCache<number>(10);
  memory.set("a", 1, 4);
  memory.set("b", 2, 4);
  expect(memory.get("a")).toBe(1);
  memory.set("c", 3, 4);
  expect(["a", "b", "c"].map((key) => memory.get(key))).toEqual([1, undefined, 3]);
  memory.set("a", 9, 1);
  expect(memory.get("a")).toBe(9);
  memory.set("too much", 4, 11);
  expect(memory.get("too much")).toBeUndefined();
});

test("the same text, and the same object, are asked once, whatever comes of it", () => {
  const asked: unknown[] = [];
  const text = memoByText((value: string) => void asked.push(value));
  const object = memoByObject((value: object) => void asked.push(value));
  const one = {};
  for (const _ of [1, 2]) {
    text("a");
    object(one);
  }
  object({});
  expect(asked).toEqual(["a", one, {}]);
});

describe("a JSON text is looked at before it is parsed", () => {
  test.each<[string, string[]]>([
    ['{"a": 123456789012345}', []],
    ['{"a": 1234567890123456}', ["1234567890123456"]],
    ['{"a": "1234567890123456 e+999"}', []],
    ['{"a\\"": "\\\\", "b": 1e999}', ["1e999"]],
    ["[1E+999]", ["1E+999"]],
    ["[-1234567890123456789,12,1e-9]", ["-1234567890123456789", "1e-9"]],
    ["[0.12345678901234567]", ["0.12345678901234567"]],
    ["[true, false, null, 100]", []],
    ["1234567890123456", ["1234567890123456"]],
  ])("for the numbers in %s that a double may change", (text, largeNumbers) => {
    expect(scanJson(text, 10)).toEqual({ isTooDeep: false, largeNumbers });
  });

  test("for how deep it is, strings left out", () => {
    expect(scanJson('[{"[{[{[": "]}"}]', 2).isTooDeep).toBe(false);
    expect(scanJson('[{"a": []}]', 2).isTooDeep).toBe(true);
    expect(scanJson("[[],[],[]]", 2).isTooDeep).toBe(false);
    expect(scanJson('"never closed [[[[', 2).isTooDeep).toBe(false);
  });
});
