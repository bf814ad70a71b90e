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

describe("alignment of two lists", () => {
  test("contains each element of both lists once", () => {
    fc.assert(
      fc.property(list, list, (from, to) => {
        const alignment = align(from, to);
        expect(numbers(alignment, 0)).toEqual(from.map((_, index) => index));
        expect(numbers(alignment, 1)).toEqual(to.map((_, index) => index));
      }),
    );
  });

  test("pairs elements in the order of both lists and relocates only equal elements", () => {
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

  test("pairs each element with itself if the lists are equal", () => {
    fc.assert(
      fc.property(list, (same) => {
        expect(align(same, same).pairs).toEqual(same.map((_, index) => [index, index]));
      }),
    );
  });

  test("finds the only inserted or removed element", () => {
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

test("align pairs elements with enough equal members; other elements count as removed and added", () => {
  const web = { service: "web", weight: 50, subset: "v1" };
  expect(align([web], [{ ...web, weight: 90 }]).pairs).toEqual([[0, 0]]);
  expect(align([web], [{ other: 1 }])).toEqual({ pairs: [], relocated: [], removed: [0], added: [0] });
  expect(align([web, { x: 1 }], [{ y: 1 }, { ...web, weight: 9 }]).pairs).toEqual([[0, 1]]);
});

test("aligning lists of 20,000 elements takes at most 20 lookups per element", () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({ index, even: index % 2 }));
  const others = many.map((each) => ({ ...each, index: -each.index }));
  const lookups = countedCalls(Set.prototype, "has", () => {
    expect(align(many, others).pairs).toHaveLength(20_000);
    expect(align(many, many.toSpliced(10_000, 1).toSpliced(5, 1)).removed).toEqual([5, 10_000]);
  });
  expect(lookups).toBeLessThanOrEqual(20 * many.length);
});
