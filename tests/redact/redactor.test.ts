import fc from "fast-check";
import { MOST_TEXT, Redactor } from "../../packages/redact";
import { randomBytes } from "../bytes";
import { mixture, SPELLINGS, secretText, spelled } from "./spellings";

const SECRET = 'p"a/s\\s <&> wörd+=, and some more of it: 0123456789';

const mask = (text: string, ...secrets: (string | number | bigint)[]) => new Redactor(secrets).mask(text);

describe("a secret is masked", () => {
  test.each(Object.keys(SPELLINGS))("where it is spelled as %s", (name) => {
    const text = `before ${spelled(SECRET, [name])} after`;
    expect(mask(text, SECRET)).toMatch(/^before .{0,4}\[secret\].{0,4} after$/s);
  });

  test.each([1, 2, 3, 4])("in JSON text, %d deep", (depth) => {
    const pem = `first line of a key\nsecond "line" of it\n\tthird\\line`;
    const text = spelled(
      pem,
      Array.from({ length: depth }, () => "JSON text"),
    );
    expect(mask(`before ${text} after`, pem)).toMatch(/^before [\\"]*\[secret\][\\"]* after$/);
  });

  test("in every mixture of spellings", () => {
    fc.assert(
      fc.property(secretText, mixture, (secret, names) => {
        const masked = mask(`before (${spelled(secret, names)}) after`, secret);
        // What is left beside the mask is what the spellings add: quotes, padding, the halves of escapes.
        const rest = masked.slice("before (".length, -") after".length);
        expect(rest).toContain("[secret]");
        expect(rest.replaceAll("[secret]", "").length).toBeLessThan(spelled("", names).length + 70);
      }),
    );
  });

  test("wherever it is cut, so that no 12 characters of it are left", () => {
    fc.assert(
      fc.property(secretText, fc.nat(), fc.nat(), fc.string(), (secret, a, b, before) => {
        const [from, to] = [a % secret.length, b % (secret.length + 1)];
        const masked = mask(`${before}|${secret.slice(from, to)}|${secret.slice(a % 9)}`, secret);
        for (let at = 0; at + 12 <= secret.length; at += 1) {
          expect(masked.includes(secret.slice(at, at + 12))).toBe(false);
        }
      }),
    );
  });

  test("of 100 secrets of 100 kB, the two that a text quotes in part", () => {
    const secrets = Array.from({ length: 100 }, () => randomBytes(75_000).toString("base64"));
    // What stands around them is of no secret: a letter might be the next one of it.
    const text = `failed: <${secrets[7]?.slice(1000, 17_000)}> and <${secrets[99]?.slice(-16_000)}>.`;
    expect(mask(text, ...secrets)).toBe("failed: <[secret]> and <[secret]>.");
  });

  test("of which a service quotes one line, or its lines as one", () => {
    const body = Array.from({ length: 6 }, (_, line) =>
      `${line}MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${line}`.repeat(2),
    );
    const pem = ["-----BEGIN RSA PRIVATE KEY-----", ...body, "-----END RSA PRIVATE KEY-----"].join("\n");
    expect(mask(`bad line ${body[3]}.`, pem)).toBe("bad line [secret].");
    expect(mask(`no key: ${pem.replaceAll("\n", " ")}.`, pem)).toBe(
      "no key: -----BEGIN RSA PRIVATE KEY----- [secret] -----END RSA PRIVATE KEY-----.",
    );
    expect(mask(JSON.stringify({ key: pem }), pem)).toMatch(
      /^\{"key":"-----BEGIN RSA PRIVATE KEY-----(\\n)?\[secret\](\\n)?-----END RSA PRIVATE KEY-----"\}$/,
    );
  });

  test("that is read further than the program wrote it", () => {
    const account = JSON.stringify({ key: "line one of the key\nline two of the key", user: "me" });
    expect(mask("bad: line one of the key\nline two of the key.", account)).toBe("bad: [secret].");
  });

  test("once, where two of them touch or white space is all between them", () => {
    expect(mask("x first-secret-one second-secret-two y", "first-secret-one", "second-secret-two")).toBe(
      "x [secret] y",
    );
  });
});

describe("a short secret is masked", () => {
  test.each([
    ["grass roots, root, root: 'root'", "grass roots, [secret], [secret]: '[secret]'"],
    ["root_user rooting", "root_user rooting"],
    ['"root\\nroot"', '"[secret]\\n[secret]"'],
    ["user%3Aroot%40host", "user%3A[secret]%40host"],
  ])("as a whole word, where it has fewer than 8 characters: %j", (text, expected) => {
    expect(mask(text, "root")).toBe(expected);
  });

  test.each(["my pw", "ab cd ef", "hunter 2", "12 34", "a\\bcd"])("with gaps of its own: %j", (secret) => {
    expect(
      mask(`the password "${secret}", ${JSON.stringify(secret)}.`, secret, secret.replace(/\W/g, "")),
    ).toBe('the password "[secret]", "[secret]".');
  });

  test("anywhere, where it has 8 to 11", () => {
    expect(mask("xhunter22x hunter2", "hunter22")).toBe("x[secret]x hunter2");
  });

  test("whole only", () => {
    expect(mask("canary-bod canary-body", "canary-body")).toBe("canary-bod [secret]");
  });

  test.each(Object.keys(SPELLINGS))("where it is spelled as %s", (name) => {
    expect(mask(`before "${spelled("hu/ter-2é", [name])}" after`, "hu/ter-2é")).toContain("[secret]");
  });

  test.each([12345, 1234n, 12345678901234567890n])("that is the number %s, as a whole word", (number) => {
    expect(mask(`port ${number}, 9${number}, ${number}0, [${number}]`, number)).toBe(
      `port [secret], 9${number}, ${number}0, [[secret]]`,
    );
  });

  test("but for fewer than four characters or digits", () => {
    expect(mask("a b abc 123 -123", "", "a", "abc", 123, -123)).toBe("a b abc 123 -123");
  });

  test("of nothing but backslashes, mostly, as it stands", () => {
    expect(mask("a \\\\\\x b", "\\\\\\x")).toBe("a [secret] b");
  });
});

describe("a text stays as it is", () => {
  test("where no secret is in it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-m]{4,40}$/)),
        fc.stringMatching(/^[n-z .,:/{}"\\]*$/),
        (secrets, text) => {
          expect(mask(text, ...secrets)).toBe(text);
        },
      ),
    );
  });

  test("where a secret is also what the resource is called, and only there", () => {
    const redactor = new Redactor(["postgres", "database-postgres-1", "role"]);
    redactor.spare("acme/postgres", "postgres", undefined, "a");
    expect(redactor.mask("acme/postgres: role postgres has database-postgres-1")).toBe(
      "acme/postgres: [secret] postgres has [secret]",
    );
  });

  test("of userinfo, which nobody need tell, is left only what is not secret", () => {
    expect(mask("see https://me:hunter2@host/a@b and x@y, http:\\/\\/u:p@h, a://b, ://@")).toBe(
      "see https://[secret]@host/a@b and x@y, http:\\/\\/[secret]@h, a://b, ://@",
    );
  });
});

describe("a redactor", () => {
  test("asks for its secrets only when it masks, and once", () => {
    let asked = 0;
    const redactor = new Redactor(() => {
      asked += 1;
      return ["some-secret-text"];
    });
    const call = new Redactor(redactor, ["another-secret"]);
    expect(asked).toBe(0);
    expect(call.mask("some-secret-text, another-secret")).toBe("[secret], [secret]");
    redactor.add(["learnt-afterwards"]);
    expect(call.mask("learnt-afterwards, another-secret")).toBe("[secret], [secret]");
    expect(asked).toBe(1);
  });

  test("reads and shows a bounded part of a text", () => {
    const text = `${"x ".repeat(MOST_TEXT / 2)}and a canary-of-ours`;
    expect(mask(text, "canary-of-ours")).toBe(`${text.slice(0, MOST_TEXT)}…`);
  });

  test("that cannot work shows nothing of what it was given, each time", () => {
    const redactor = new Redactor(["first-secret-text"], () => {
      throw new Error("a canary in an error");
    });
    for (const text of ["first-secret-text", "a canary"]) {
      expect(redactor.mask(text)).toBe("[text withheld: it could not be searched for secrets]");
    }
  });

  test("shows nothing of what unfolds without end", () => {
    const canary = "canary-of-ours-within";
    const deep = spelled(
      canary,
      Array.from({ length: 5 }, () => "base64"),
    );
    expect(mask(deep, canary)).not.toContain(deep.slice(5, 25));
  });
});
