import fc from "fast-check";
import { Redactor } from "../../../provider/core/http/redact";

const secret = 'p"a/s\\s <&> wörd+=';

describe("a redactor", () => {
  test.each([
    ["as it is", secret],
    ["in JSON", JSON.stringify(secret)],
    [
      "in JSON as Go writes it",
      JSON.stringify(secret).replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
    ],
    ["in JSON with escaped slashes", JSON.stringify(secret).replaceAll("/", "\\/")],
    ["in JSON within JSON", JSON.stringify(JSON.stringify(secret))],
    ["in ASCII JSON", JSON.stringify(secret).replace("ö", "\\u00f6")],
    ["in a URL", encodeURIComponent(secret)],
    [
      "in a URL with small hex digits",
      encodeURIComponent(secret).replace(/%../g, (hex) => hex.toLowerCase()),
    ],
    ["in a form", new URLSearchParams({ a: secret }).toString()],
    ["in base64", Buffer.from(secret).toString("base64")],
    ["in base64 for URLs", Buffer.from(secret).toString("base64url")],
    ["in base64 behind a user's name", Buffer.from(`user:${secret}`).toString("base64")],
    ["in base64 behind one byte and before others", Buffer.from(`x${secret}yz`).toString("base64")],
  ])("masks a secret %s", (_, spelling) => {
    const masked = new Redactor([secret]).mask(`before ${spelling} after`);
    expect(masked).toContain("[secret]");
    expect(masked).toMatch(/^before .* after$/);
    expect(masked).not.toMatch(/a.{0,4}s.{0,4}s.{0,14}w.{0,6}rd/);
  });

  test("leaves no secret in any text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 4 }), { minLength: 1 }),
        fc.string(),
        fc.string(),
        (secrets, a, b) => {
          const plain = secrets.filter((one) => !"[secret]@".includes(one));
          const masked = new Redactor(plain).mask(a + plain.join(" ") + b);
          expect(plain.filter((one) => masked.replaceAll("[secret]", "\u0000").includes(one))).toEqual([]);
        },
      ),
    );
  });

  test("of two secrets of which one begins the other, masks the longer one whole", () => {
    expect(new Redactor(["abcd", "abcdefgh"]).mask("x abcdefgh y")).toBe("x [secret] y");
  });

  test("leaves secrets of fewer than four characters alone", () => {
    expect(new Redactor(["", "a", "abc"]).mask("a b abc")).toBe("a b abc");
  });

  test("masks the userinfo of a URL that it was never told of", () => {
    expect(new Redactor([]).mask("see https://me:hunter2@host/a@b and x@y")).toBe(
      "see https://[secret]@host/a@b and x@y",
    );
  });

  test("takes what is special in a pattern literally", () => {
    expect(new Redactor(["a.c*(d)"]).mask("a.c*(d) abccd")).toBe("[secret] abccd");
  });
});
