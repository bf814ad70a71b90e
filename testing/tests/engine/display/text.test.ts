import fc from "fast-check";
import { printMap, printMapDiff, type Style } from "../../../engine/display/printer";
import { renderSummary } from "../../../engine/display/summary";
import { decode, diffLines, quote, truncate } from "../../../engine/display/text";
import { diffMaps, type ShownMap } from "../../../engine/display/values";

const style: Style = { indent: 1, op: "create", signed: false, truncated: false };

const anyText = fc
  .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
  .map((lines) => lines.join("\n"));

test("the hunks of diffLines reproduce the old and the new text", () => {
  fc.assert(
    fc.property(anyText, anyText, (old, now) => {
      const hunks = diffLines(old, now);
      const side = (without: string) =>
        hunks
          .filter(({ kind }) => kind !== without)
          .flatMap(({ lines }) => lines)
          .join("\n");
      expect(side("add")).toBe(old);
      expect(side("delete")).toBe(now);
    }),
  );
});

test("diffLines keeps unchanged lines between deleted and added lines", () => {
  expect(diffLines("a\nb\nc", "a\nx\nc")).toEqual([
    { kind: "same", lines: ["a"] },
    { kind: "delete", lines: ["b"] },
    { kind: "add", lines: ["x"] },
    { kind: "same", lines: ["c"] },
  ]);
});

test.each([
  ["plain é 日本 😀", '"plain é 日本 😀"'],
  ['a "b" \\c', '"a \\"b\\" \\\\c"'],
  ["\n\t\r\v\x07\x00\x1b", '"\\n\\t\\r\\v\\a\\x00\\x1b"'],
  ["\u200b\u{e0001}", '"\\u200b\\U000e0001"'],
])("quote(%j) returns the same as Go", (text, quoted) => {
  expect(quote(text)).toBe(quoted);
});

test("decode parses lists and maps in JSON or YAML, and no other strings", () => {
  expect(decode('{"a":[1]}')).toEqual({ value: { a: [1] }, notation: "json" });
  expect(decode("a: 1\nb: [x]")).toEqual({ value: { a: 1, b: ["x"] }, notation: "yaml" });
  for (const text of ["a: 1", "12", '"text"', "true", "{", "a\nb"]) expect(decode(text)).toBeUndefined();
});

test("truncate shortens a string after 3 lines or 150 characters", () => {
  expect(truncate("a\nb\nc")).toBe("a\nb\nc");
  expect(truncate("a\nb\nc\nd")).toBe("a\nb\nc\n...");
  expect(truncate("x".repeat(151))).toBe(`${"x".repeat(150)}...`);
});

test.each([
  [7, "7"],
  [1e21, "1000000000000000000000"],
  [-0.5, "-0.5"],
  [1.5e-7, "1.5e-07"],
])("the number %d is printed as %s", (number, shown) => {
  expect(printMap({ n: number }, style)).toBe(`    n: ${shown}\n`);
});

test("unchanged lines are printed only near changed lines", () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  const diff = diffMaps({ text: lines.join("\n") }, { text: lines.with(5, "changed").join("\n") });
  expect(diff && printMapDiff(diff, { ...style, signed: true })).toBe(
    [
      "  ~ text: ",
      "        ...",
      "        line 3",
      "        line 4",
      "      - line 5",
      "      + changed",
      "        line 6",
      "        line 7",
      "        ...",
      "",
    ].join("\n"),
  );
});

test("strings that contain JSON maps are compared key by key", () => {
  const before: ShownMap = { spec: '{"a":1,"b":2}' };
  const diff = diffMaps(before, { spec: '{"b":3,"a":1}' });
  expect(diff && printMapDiff(diff, { ...style, signed: true })).toBe(
    ["  ~ spec: (json) {", "        a: 1", "      ~ b: 2 => 3", "    }", ""].join("\n"),
  );
});

test("a summary counts each kind of change, and prints a total if there are several", () => {
  const event = {
    maybeCorrupt: false,
    durationSeconds: 61.2,
    PolicyPacks: {},
    isPreview: false,
    result: "succeeded",
  } as const;
  expect(
    renderSummary(
      { ...event, resourceChanges: { same: 3, create: 1, replace: 2, read: 5 } },
      { preview: false, errored: 1 },
    ),
  ).toBe(
    "Resources:\n    + 1 created\n    +-2 replaced\n    3 changes. 3 unchanged\n    1 errored\n\nDuration: 1m2s\n",
  );
  expect(renderSummary({ ...event, resourceChanges: {} }, { preview: true, errored: 0 })).toBe(
    "Resources:\n",
  );
});
