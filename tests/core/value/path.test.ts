import fc from "fast-check";
import { formatPath, KEY, ONLY_THERE, parsePath } from "../../../provider/core/value/path";

/** Keys as users write them, with quotes, control characters and path syntax. */
const key = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    "0",
    "a.b",
    'say "hi"',
    "back\\slash",
    "new\nline",
    "tab\tx",
    "[0]",
    "[*]",
    "\\",
    "\\n",
  ),
);
// These characters mark the keys of list elements in internal paths. A path to parse never contains them.
const unmarked = key.filter((name) => !name.startsWith(KEY) && !name.startsWith(ONLY_THERE));
const segments = fc.array(fc.oneof(fc.nat(), unmarked), { minLength: 1 });

test("parsePath returns the segments that formatPath wrote", () => {
  fc.assert(fc.property(segments, (path) => expect(parsePath(formatPath(path))).toEqual(path)));
});

test.each([
  ["spec.taskGroups[0].count", ["spec", "taskGroups", 0, "count"]],
  ["env[*]", ["env", "*"]],
  // The engine escapes quotation marks only.
  ['tags["C:\\dir"]', ["tags", "C:\\dir"]],
  ['tags["a \\"b\\""]', ["tags", 'a "b"']],
])("parsePath parses %s into %j", (path, expected) => {
  expect(parsePath(path)).toEqual(expected);
});
