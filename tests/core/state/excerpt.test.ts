import fc from "fast-check";
import { excerpt } from "../../../provider/core/state/conflictTable";

const padding = "abcdefghij".repeat(20);

describe("excerpt of a text that is too long", () => {
  test.each([
    ["at the start", `X${padding}`, `Y${padding}`, /^X.*…$/],
    ["in the middle", `${padding}X${padding}`, `${padding}Y${padding}`, /^….*jX.*…$/],
    ["at the end", `${padding}X`, `${padding}Y`, /^….*X$/],
    ["at the end if the text is longer than the other", `${padding}X`, padding, /^….*X$/],
    ["at the end if the text is shorter than the other", padding, `${padding}X`, /^….*j$/],
  ])("shows the difference %s", (_, text, other, shown) => {
    expect(excerpt(text, other, 60)).toMatch(shown);
    expect(excerpt(text, other, 60)).toHaveLength(60);
  });

  test("shows the start if there is no other text or both texts are equal", () => {
    expect(excerpt(padding, undefined, 60)).toBe(`${padding.slice(0, 59)}…`);
    expect(excerpt(padding, padding, 60)).toBe(`${padding.slice(0, 59)}…`);
  });
});

test("excerpt returns a short text unchanged", () => {
  expect(excerpt("short", "other", 60)).toBe("short");
});

test("excerpt never splits a surrogate pair", () => {
  const faces = "😀".repeat(100);
  for (const at of [0, 31, 50, 99]) {
    const other = `${faces.slice(0, at)}x`;
    expect(excerpt(faces, other, 60)).not.toMatch(
      /(^|[^\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF]($|[^\uDC00-\uDFFF])/,
    );
  }
});

test("excerpts of different texts are different and never longer than the limit", () => {
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
