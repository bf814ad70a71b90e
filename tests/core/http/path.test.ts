import fc from "fast-check";
import { encodeSegment, InvalidSegment } from "../../../provider/core/http/urls";

const name = fc
  .string({ unit: "grapheme", minLength: 1 })
  .filter((text) => text !== "." && text !== ".." && text.isWellFormed());

describe("path", () => {
  test("decodes to the names that it was built from", () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        const made = `/v1/${encodeSegment(a)}/x/${encodeSegment(b)}`;
        expect(made.split("/").map(decodeURIComponent)).toEqual(["", "v1", a, "x", b]);
      }),
    );
  });

  test("has the same segments after a URL parser has read it", () => {
    fc.assert(
      fc.property(name, (segment) => {
        const { pathname, search, hash } = new URL(`/v1/job/${encodeSegment(segment)}`, "http://host");
        expect([pathname.split("/").length, search, hash]).toEqual([4, "", ""]);
        expect(decodeURIComponent(pathname)).toBe(`/v1/job/${segment}`);
      }),
    );
  });

  test.each(["a/b", "../x", "%2e%2e", "a?b", "a#b", "a;b", " ", "é", "\u0000", "[x]"])(
    "contains %j as one encoded segment",
    (segment) => {
      const made = `/v1/${encodeSegment(segment)}`;
      expect(made).toMatch(/^\/v1\/[^/?#\s[\]]+$/);
      expect(decodeURIComponent(made.slice(4))).toBe(segment);
    },
  );

  test.each(["", ".", "..", "\ud800"])("rejects the segment %j, which no encoding makes safe", (segment) => {
    expect(() => encodeSegment(segment)).toThrow(InvalidSegment);
  });
});
