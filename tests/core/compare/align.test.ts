import fc from "fast-check";
import { type Alignment, align } from "../../../provider/core/state/align";
import type { Json } from "../../../provider/core/value/json";
import { countedCalls } from "../../calls";

const element = fc.oneof(
  fc.constantFrom("a", "b", "c", 1, true),
  fc.record({
    name: fc.constantFrom("x", "y", "z"),
    port: fc.nat(2),
    tags: fc.array(fc.constantFrom("t", "u")),
  }),
);
const list = fc.array<Json>(element, { maxLength: 12 });

const numbers = ({ pairs, relocated, removed, added }: Alignment, side: 0 | 1) =>
  [...[...pairs, ...relocated].map((pair) => pair[side]), ...(side === 0 ? removed : added)].sort(
    (a, b) => a - b,
  );

describe("every alignment of two lists", () => {
  test("holds each element of both once", () => {
    fc.assert(
      fc.property(list, list, (from, to) => {
        const alignment = align(from, to);
        expect(numbers(alignment, 0)).toEqual(from.map((_, index) => index));
        expect(numbers(alignment, 1)).toEqual(to.map((_, index) => index));
      }),
    );
  });

  test("pairs in the order of both, and calls only equal elements moved", () => {
    fc.assert(
      fc.property(list, list, (from, to) => {
        const { pairs, relocated } = align(from, to);
        for (const [index, pair] of pairs.entries()) {
          const [one, other] = pairs[index - 1] ?? [-1, -1];
          expect(pair[0] > one && pair[1] > other).toBe(true);
        }
        for (const [one, other] of relocated) expect(from[one]).toEqual(to[other]);
      }),
    );
  });

  test("of a list with itself pairs each element with itself", () => {
    fc.assert(
      fc.property(list, (same) => {
        expect(align(same, same).pairs).toEqual(same.map((_, index) => [index, index]));
      }),
    );
  });

  test("finds again what was only put in or taken out", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(999), { minLength: 1, maxLength: 20 }), fc.nat(), (from, at) => {
        const index = at % from.length;
        const to = from.toSpliced(index, 1);
        const without = align(from, to);
        expect([without.removed, without.added, without.relocated]).toEqual([[index], [], []]);
        const withIt = align(to, from);
        expect([withIt.removed, withIt.added, withIt.relocated]).toEqual([[], [index], []]);
      }),
    );
  });
});

test("an element that shares enough with another is that one, changed; else one went and another came", () => {
  const web = { service: "web", weight: 50, subset: "v1" };
  expect(align([web], [{ ...web, weight: 90 }]).pairs).toEqual([[0, 0]]);
  expect(align([web], [{ other: 1 }])).toEqual({ pairs: [], relocated: [], removed: [0], added: [0] });
  expect(align([web, { x: 1 }], [{ y: 1 }, { ...web, weight: 9 }]).pairs).toEqual([[0, 1]]);
});

test("the work of aligning lists of many thousands of elements grows as they do", () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({ index, even: index % 2 }));
  const others = many.map((each) => ({ ...each, index: -each.index }));
  const looks = countedCalls(Set.prototype, "has", () => {
    expect(align(many, others).pairs).toHaveLength(20_000);
    expect(align(many, many.toSpliced(10_000, 1).toSpliced(5, 1)).removed).toEqual([5, 10_000]);
  });
  expect(looks).toBeLessThanOrEqual(20 * many.length);
});
