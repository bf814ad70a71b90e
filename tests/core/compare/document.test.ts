import fc from "fast-check";
import { z } from "zod";
import { canonicalDocument } from "../../../provider/core/diff/normalize";
import { plainOf, withValueAt } from "../../../provider/core/diff/project";
import { differencesOf } from "../../../provider/core/diff/queries";
import { type DocumentFacts, field } from "../../../provider/core/language/facts";
import { fieldsOf } from "../../../provider/core/language/fields";
import { isObject, type Json } from "../../../provider/core/value/json";
import { formatPath, KEY, matches } from "../../../provider/core/value/path";
import { durationInNanoseconds } from "../../../provider/core/value/spelling";
import { exampleDefinition } from "../../generate/exampleDefinition";

const facts: DocumentFacts = {
  keyedBy: { Groups: ["Name"], "Groups.*.Tasks": ["Name"], Splits: ["Service", "Subset"] },
  unordered: ["Zones"],
  spellings: { "Groups.*.Delay": durationInNanoseconds },
  serverOwned: ["Index", "Groups.*.Hash"],
};

const sheet = field(z.record(z.string(), z.unknown()), { doc: "The sheet.", document: facts });
const properties = fieldsOf({ ...exampleDefinition, fields: { sheet } });

const canonicalOf = (document: Json) => canonicalDocument(document, facts) as Json | undefined;

const task = fc.record({
  Name: fc.constantFrom("a", "b", "c"),
  Env: fc.dictionary(fc.constantFrom("X", "Y.z"), fc.string()),
});
const group = fc.record({
  Name: fc.constantFrom("web", "api", "db"),
  Count: fc.nat(9),
  Tasks: fc.uniqueArray(task, { selector: ({ Name }) => Name }),
});
const document = fc.record({
  Groups: fc.uniqueArray(group, { selector: ({ Name }) => Name }),
  Zones: fc.uniqueArray(fc.constantFrom("x", "y", "z")),
  Meta: fc.dictionary(fc.string(), fc.string()),
});

test("the canonical form ignores the order of keyed elements, of keys and of unordered lists", () => {
  const reversed = (value: Json): Json => {
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [
          name,
          Array.isArray(member) ? [...member].reverse().map(reversed) : reversed(member),
        ]),
    );
  };
  fc.assert(
    fc.property(document, (value) => {
      expect(canonicalOf(reversed(value))).toEqual(canonicalOf(value));
    }),
  );
});

test("the canonical form omits null, empty lists and maps, and server-owned members", () => {
  expect(canonicalOf({ A: null, B: [], C: {}, D: "", E: { F: null }, Index: 7 })).toEqual({ D: "" });
  expect(canonicalOf({ Groups: [{ Name: "web", Hash: "h", Delay: "30s" }] })).toEqual({
    Groups: { [`${KEY}web`]: { Name: "web", Delay: 30_000_000_000 } },
  });
});

test("the plain form of a canonical document has the same canonical form", () => {
  fc.assert(
    fc.property(document, (value) => {
      const canonical = canonicalOf(value);
      expect(canonicalOf(plainOf(canonical ?? {}))).toEqual(canonical);
    }),
  );
});

test("writing the differences into one document produces the other", () => {
  fc.assert(
    fc.property(document, document, (from, to) => {
      const [a, b] = [canonicalOf(from), canonicalOf(to)];
      const result = properties
        .flatMap((property) => differencesOf(property, a, b))
        .reduce<Json | undefined>(
          (made, { path, theirs: value }) => withValueAt(made, path.slice(1), value, facts),
          from,
        );
      expect(canonicalOf(result ?? {}) ?? {}).toEqual(b ?? {});
    }),
  );
});

test("the canonical form keeps an element of a keyed list even if all of its members are server-owned", () => {
  const owned = { keyedBy: { Groups: ["Name"] }, serverOwned: ["Groups.*.Name"] };
  const once = canonicalDocument({ Groups: [{ Name: "web" }] }, owned);
  expect(once).toEqual({ Groups: { [`${KEY}web`]: {} } });
  expect(canonicalDocument(once, owned)).toEqual(once);
});

test("elements without a key, or with a duplicate key, are compared by position", () => {
  expect(canonicalOf({ Groups: [{ Count: 1 }] })).toEqual({ Groups: [{ Count: 1 }] });
  const twins = [
    { Name: "a", Count: 1 },
    { Name: "a", Count: 2 },
  ];
  expect(canonicalOf({ Groups: twins })).toEqual({ Groups: twins });
  expect(canonicalOf({ Splits: [{ Service: "s", Subset: "v1" }, { Service: "s" }] })).toEqual({
    Splits: { [`${KEY}s/v1`]: { Service: "s", Subset: "v1" }, [`${KEY}s`]: { Service: "s" } },
  });
});

test("formatPath prints indexes and arbitrary keys in brackets", () => {
  expect(formatPath(["json", "TaskGroups", `${KEY}web`, "Count"])).toBe('json.TaskGroups["web"].Count');
  expect(formatPath(["vhosts", "/", "read"])).toBe('vhosts["/"].read');
  expect(formatPath(["tags", 2])).toBe("tags[2]");
});

test.each([
  ["Groups.*.Count", ["Groups", `${KEY}web`, "Count"], true],
  ["Groups.*.Count", ["Groups", 0, "Count"], true],
  ["Groups.*.Count", ["Groups", 0], false],
  ["Groups.*", ["Groups", 0, "Count"], false],
  ["**.Hash", ["a", "b", "Hash"], true],
  ["**.Hash", ["Hash"], true],
  ["**.Hash", ["Hash", "x"], false],
])("the pattern %s matches the path %j: %s", (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

test("a pattern matches paths below it if requested, but never paths above it", () => {
  expect(matches("Token", ["Token", "value"], true)).toBe(true);
  expect(matches("**.Token", ["a", "Token", 0], true)).toBe(true);
  expect(matches("a.Token", ["a"], true)).toBe(false);
});
