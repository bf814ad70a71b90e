import fc from "fast-check";
import { excerpt } from "../../../provider/core/state/conflictTable";

const padding = "abcdefghij".repeat(20);

describe("a text that is too long", () => {
  test.each([
    ["at the start", `X${padding}`, `Y${padding}`, /^X.*…$/],
    ["in the middle", `${padding}X${padding}`, `${padding}Y${padding}`, /^….*jX.*…$/],
    ["at the end", `${padding}X`, `${padding}Y`, /^….*X$/],
    ["by being longer", `${padding}X`, padding, /^….*X$/],
    ["by being shorter", padding, `${padding}X`, /^….*j$/],
  ])("shows the difference %s", (_, text, other, shown) => {
    expect(excerpt(text, other, 60)).toMatch(shown);
    expect(excerpt(text, other, 60)).toHaveLength(60);
  });

  test("begins at its start where it is compared with nothing", () => {
    expect(excerpt(padding, undefined, 60)).toBe(`${padding.slice(0, 59)}…`);
    expect(excerpt(padding, padding, 60)).toBe(`${padding.slice(0, 59)}…`);
  });
});

test("a text that is short enough is whole", () => {
  expect(excerpt("short", "other", 60)).toBe("short");
});

test("no character is cut in two", () => {
  const faces = "😀".repeat(100);
  for (const at of [0, 31, 50, 99]) {
    const other = `${faces.slice(0, at)}x`;
    expect(excerpt(faces, other, 60)).not.toMatch(
      /(^|[^\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF]($|[^\uDC00-\uDFFF])/,
    );
  }
});

test("two texts that differ are shown differently, and never longer than asked for", () => {
  const text = fc.string({ minLength: 61, maxLength: 300 });
  const related = fc.tuple(text, fc.nat(200), fc.string({ maxLength: 100 })).map(([start, at, end]) => {
    const head = start.slice(0, at);
    return [start, head + end] as const;
  });
  fc.assert(
    fc.property(related, ([one, other]) => {
      const [a, b] = [excerpt(one, other, 60), excerpt(other, one, 60)];
      expect(Math.max(a.length, b.length)).toBeLessThanOrEqual(Math.max(60, 0));
      if (one !== other) expect(a).not.toBe(b);
    }),
  );
});
