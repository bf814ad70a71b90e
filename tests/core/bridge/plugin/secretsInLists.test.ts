import fc from "fast-check";
import { type Marked, secretPathsIn } from "../../../../provider/core/bridge/plugin/details";
import type { Json } from "../../../../provider/core/value/json";
import { formatPath, type Path, valueAt } from "../../../../provider/core/value/path";

/** An answer without the values at the marked paths. */
function plain(value: Json | undefined, path: Path, marks: ReadonlySet<string>): Json {
  if (value === undefined || marks.has(formatPath(path))) return null;
  if (Array.isArray(value)) return value.map((part, index) => plain(part, [...path, index], marks));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, plain(part ?? null, [...path, name], marks)]),
  );
}

const words = fc.constantFrom("a", "b", "canary-one", "canary-two", "c/canary-one", "");
const lists = fc.array(fc.oneof(words, fc.record({ is: words, has: fc.array(words, { maxLength: 2 }) })), {
  maxLength: 4,
});

/** The paths of the marked texts in a list. */
function marksIn(list: readonly Json[]): Path[] {
  return list.flatMap((one, index) => {
    if (typeof one === "string") return one.startsWith("canary") ? [["list", index]] : [];
    const { is, has } = one as { is: string; has: string[] };
    const inside = has.flatMap((word, at) => (word.startsWith("canary") ? [["list", index, "has", at]] : []));
    return [...(is.startsWith("canary") ? [["list", index, "is"]] : []), ...inside];
  });
}

const sentOf = (list: Json[]): Marked => ({ values: { list }, marks: marksIn(list) });

test("an answer shows no marked text of a list in plain text, in any rotation of the list", () => {
  fc.assert(
    fc.property(lists, lists, fc.nat(), fc.boolean(), (first, second, turn, isSecond) => {
      const sent = [sentOf(first), sentOf(second)];
      const from = isSecond ? second : first;
      const at = from.length === 0 ? 0 : turn % from.length;
      const answer = { list: [...from.slice(at), ...from.slice(0, at)] };
      const marks = new Set(secretPathsIn(sent, answer).map(formatPath));
      const shown = JSON.stringify(plain(valueAt(answer, ["list"]), ["list"], marks));
      const marked = sent.flatMap(({ values, marks: own }) =>
        own.map((path) => String(valueAt(values, path))),
      );
      for (const text of marked) expect(shown).not.toContain(text);
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, Json[], Json[], string[]]>([
  ["unchanged", ["canary-one", "b"], ["canary-one", "b"], ["list[0]"]],
  [
    "with another member in an element",
    [{ is: "canary-one" }, "b"],
    [{ is: "canary-one", more: 1 }, "b"],
    ["list[0].is"],
  ],
  ["in another order", ["canary-one", "b"], ["b", "canary-one"], ["list"]],
  ["in another form", ["canary-one", "b"], ["b", "CANARY-ONE"], ["list"]],
  ["with another element", ["canary-one"], ["canary-one", "b"], ["list"]],
])("a list that is returned %s is marked at the expected paths", (_, list, back, expected) => {
  const has = list.map((one) => (typeof one === "string" ? one : { has: [], ...Object(one) }));
  expect(secretPathsIn([sentOf(has)], { list: back }).map(formatPath)).toEqual(expected);
});

test("a replaced secret of a list does not mark the complete list", () => {
  const [old, now] = [
    ["canary-one", "b"],
    ["canary-two", "b"],
  ];
  expect(secretPathsIn([sentOf(old), sentOf(now)], { list: now }).map(formatPath)).toEqual([
    "list[0]",
    "list[0]",
  ]);
});
