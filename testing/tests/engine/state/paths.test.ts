import { contains, resetIgnored } from "../../../engine/state/paths";
import { type PropertyMap, Secret } from "../../../engine/state/values";

/** What comes of the new inputs when a path is to be ignored; undefined where that is not possible. */
function reset(path: string, olds: PropertyMap, news: PropertyMap): PropertyMap | undefined {
  const { inputs, impossible } = resetIgnored(news, olds, [path]);
  return impossible.length > 0 ? undefined : inputs;
}

test.each([
  ["a value goes back to what it was", "a", { a: 1, b: 1 }, { a: 2, b: 2 }, { a: 1, b: 2 }],
  ["a value that is new goes", "a", {}, { a: 2 }, {}],
  ["a value that has gone comes back", "a", { a: 1 }, {}, { a: 1 }],
  ["a value inside a map", "a.b", { a: { b: 1 } }, { a: { b: 2, c: 2 } }, { a: { b: 1, c: 2 } }],
  ["an element of a list", "a[1]", { a: [1, 1] }, { a: [2, 2] }, { a: [2, 1] }],
  ["a key with a dot in it", 'a["b.c"]', { a: { "b.c": 1 } }, { a: { "b.c": 2 } }, { a: { "b.c": 1 } }],
  ["a key with a quote in it", '["a\\"b"]', { 'a"b': 1 }, { 'a"b': 2 }, { 'a"b': 1 }],
  ["all of a map", "a.*", { a: { x: 1, y: 1 } }, { a: { x: 2, z: 2 } }, { a: { x: 1, y: 1 } }],
  ["everything", "*", { a: 1 }, { a: 2, b: 2 }, { a: 1 }],
  [
    "one key of every element",
    "a[*].b",
    { a: [{ b: 1 }, { b: 1 }] },
    { a: [{ b: 2 }, { b: 2, c: 2 }] },
    { a: [{ b: 1 }, { b: 1, c: 2 }] },
  ],
  ["a path that is nowhere changes nothing", "x.y.z", { a: 1 }, { a: 2 }, { a: 2 }],
  ["what is new has no more of it", "a.b", {}, { a: { b: 2 } }, { a: {} }],
] as const)("%s", (_, path, olds, news, expected) => {
  expect(reset(path, olds, news)).toEqual(expected);
});

test.each([
  ["a map that has gone", "a.b", { a: { b: 1 } }, {}],
  ["a map that has become something else", "a.b", { a: { b: 1 } }, { a: 2 }],
  ["an element beyond the end", "a[1]", { a: [1] }, { a: [1, 2] }],
  ["a list that has become longer", "a[*]", { a: [1] }, { a: [2, 2] }],
  ["an index below zero", "a[-1]", { a: [1] }, { a: [2] }],
] as const)("nothing can be put back into %s", (_, path, olds, news) => {
  expect(reset(path, olds, news)).toBeUndefined();
});

test("what is put back from inside a secret stays secret", () => {
  expect(reset("a.b", { a: new Secret({ b: 1 }) }, { a: { b: 2 } })).toEqual({ a: { b: new Secret(1) } });
  expect(reset("a.b", { a: new Secret({ b: 1 }) }, { a: new Secret({ b: 2 }) })).toEqual({
    a: new Secret({ b: 1 }),
  });
});

test("a text that is no path is passed over", () => {
  expect(reset("a[", { a: 1 }, { a: 2 })).toEqual({ a: 2 });
});

test("a path contains itself and what is below it", () => {
  expect(contains("a.b", "a.b")).toBe(true);
  expect(contains("a.b", 'a["b"][0].c')).toBe(true);
  expect(contains("a.*.c", "a[0].c.d")).toBe(true);
  expect(contains("*", "anything.at.all")).toBe(true);
  expect(contains("a.b", "a")).toBe(false);
  expect(contains("a.b", "a.c")).toBe(false);
});
