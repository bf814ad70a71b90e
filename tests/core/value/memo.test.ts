import { BoundedCache, memoByObject, memoByText } from "../../../provider/core/value/memo";
import { scanJson } from "../../../provider/core/value/scan";

test("BoundedCache drops the least recently used entry and does not store an entry above its limit", () => {
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

test("memoByText and memoByObject call the function once per argument, even if it returns undefined", () => {
  const calls: unknown[] = [];
  const text = memoByText((value: string) => void calls.push(value));
  const object = memoByObject((value: object) => void calls.push(value));
  const one = {};
  for (const _ of [1, 2]) {
    text("a");
    object(one);
  }
  object({});
  expect(calls).toEqual(["a", one, {}]);
});

describe("scanJson", () => {
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
  ])("finds the numbers in %s that a double may change", (text, largeNumbers) => {
    expect(scanJson(text, 10)).toEqual({ isTooDeep: false, largeNumbers });
  });

  test("detects text nested deeper than the limit and ignores brackets in strings", () => {
    expect(scanJson('[{"[{[{[": "]}"}]', 2).isTooDeep).toBe(false);
    expect(scanJson('[{"a": []}]', 2).isTooDeep).toBe(true);
    expect(scanJson("[[],[],[]]", 2).isTooDeep).toBe(false);
    expect(scanJson('"never closed [[[[', 2).isTooDeep).toBe(false);
  });
});
