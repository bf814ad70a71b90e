import { contains, resetIgnored } from "../../../engine/state/paths";
import { type PropertyMap, Secret } from "../../../engine/state/values";

/** The new inputs after the changes at a path were ignored, or undefined if that is not possible. */
function reset(path: string, olds: PropertyMap, news: PropertyMap): PropertyMap | undefined {
  const { inputs, impossible } = resetIgnored(news, olds, [path]);
  return impossible.length > 0 ? undefined : inputs;
}

test.each([
  ["restores the old value", "a", { a: 1, b: 1 }, { a: 2, b: 2 }, { a: 1, b: 2 }],
  ["removes a new value", "a", {}, { a: 2 }, {}],
  ["restores a removed value", "a", { a: 1 }, {}, { a: 1 }],
  ["restores a value inside a map", "a.b", { a: { b: 1 } }, { a: { b: 2, c: 2 } }, { a: { b: 1, c: 2 } }],
  ["restores an element of a list", "a[1]", { a: [1, 1] }, { a: [2, 2] }, { a: [2, 1] }],
  [
    "restores a key that contains a dot",
    'a["b.c"]',
    { a: { "b.c": 1 } },
    { a: { "b.c": 2 } },
    { a: { "b.c": 1 } },
  ],
  ["restores a key that contains a quote", '["a\\"b"]', { 'a"b': 1 }, { 'a"b': 2 }, { 'a"b': 1 }],
  ["restores all keys of a map", "a.*", { a: { x: 1, y: 1 } }, { a: { x: 2, z: 2 } }, { a: { x: 1, y: 1 } }],
  ["restores all inputs", "*", { a: 1 }, { a: 2, b: 2 }, { a: 1 }],
  [
    "restores one key of every element",
    "a[*].b",
    { a: [{ b: 1 }, { b: 1 }] },
    { a: [{ b: 2 }, { b: 2, c: 2 }] },
    { a: [{ b: 1 }, { b: 1, c: 2 }] },
  ],
  ["changes nothing for a path that does not exist", "x.y.z", { a: 1 }, { a: 2 }, { a: 2 }],
  ["removes a value from a new map", "a.b", {}, { a: { b: 2 } }, { a: {} }],
] as const)("resetIgnored %s", (_, path, olds, news, expected) => {
  expect(reset(path, olds, news)).toEqual(expected);
});

test.each([
  ["a removed map", "a.b", { a: { b: 1 } }, {}],
  ["a map that was replaced by a number", "a.b", { a: { b: 1 } }, { a: 2 }],
  ["an element beyond the end of the old list", "a[1]", { a: [1] }, { a: [1, 2] }],
  ["a list that has become longer", "a[*]", { a: [1] }, { a: [2, 2] }],
  ["an index below zero", "a[-1]", { a: [1] }, { a: [2] }],
] as const)("resetIgnored reports a path that it cannot restore: %s", (_, path, olds, news) => {
  expect(reset(path, olds, news)).toBeUndefined();
});

test("a value that is restored from inside a secret stays secret", () => {
  expect(reset("a.b", { a: new Secret({ b: 1 }) }, { a: { b: 2 } })).toEqual({ a: { b: new Secret(1) } });
  expect(reset("a.b", { a: new Secret({ b: 1 }) }, { a: new Secret({ b: 2 }) })).toEqual({
    a: new Secret({ b: 1 }),
  });
});

test("a path that cannot be parsed is ignored", () => {
  expect(reset("a[", { a: 1 }, { a: 2 })).toEqual({ a: 2 });
});

test("a path contains itself and its descendants", () => {
  expect(contains("a.b", "a.b")).toBe(true);
  expect(contains("a.b", 'a["b"][0].c')).toBe(true);
  expect(contains("a.*.c", "a[0].c.d")).toBe(true);
  expect(contains("*", "anything.at.all")).toBe(true);
  expect(contains("a.b", "a")).toBe(false);
  expect(contains("a.b", "a.c")).toBe(false);
});
