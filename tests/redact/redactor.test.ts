import fc from "fast-check";
import { MOST_TEXT, Redactor } from "../../packages/redact";
import { randomBytes } from "../bytes";
import { encoded, encodings, SPELLINGS, secretText } from "./spellings";

const SECRET = 'p"a/s\\s <&> wörd+=, and some more of it: 0123456789';

const mask = (text: string, ...secrets: (string | number | bigint)[]) => new Redactor(secrets).mask(text);

describe("a secret is masked", () => {
  test.each(Object.keys(SPELLINGS))("if it has as %s", (name) => {
    const text = `before ${encoded(SECRET, [name])} after`;
    expect(mask(text, SECRET)).toMatch(/^before .{0,4}\[secret\].{0,4} after$/s);
  });

  test.each([1, 2, 3, 4])("if it is in JSON text with %d levels of quoting", (depth) => {
    const pem = `first line of a key\nsecond "line" of it\n\tthird\\line`;
    const text = encoded(
      pem,
      Array.from({ length: depth }, () => "JSON text"),
    );
    expect(mask(`before ${text} after`, pem)).toMatch(/^before [\\"]*\[secret\][\\"]* after$/);
  });

  test("in every combination of encodings", () => {
    fc.assert(
      fc.property(secretText, encodings, (secret, names) => {
        const masked = mask(`before (${encoded(secret, names)}) after`, secret);
        // Beside the mask, only what the encodings add remains: quotes, padding, halves of escape sequences.
        const rest = masked.slice("before (".length, -") after".length);
        expect(rest).toContain("[secret]");
        expect(rest.replaceAll("[secret]", "").length).toBeLessThan(encoded("", names).length + 70);
      }),
    );
  });

  test("wherever it is cut, so that no 12 consecutive characters of it remain", () => {
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

  test("if it is one of two that a text quotes in part, among 100 secrets of 100 kB", () => {
    const secrets = Array.from({ length: 100 }, () => randomBytes(75_000).toString("base64"));
    // The text around the quotes contains no base64 character next to them, which might continue the secret.
    const text = `failed: <${secrets[7]?.slice(1000, 17_000)}> and <${secrets[99]?.slice(-16_000)}>.`;
    expect(mask(text, ...secrets)).toBe("failed: <[secret]> and <[secret]>.");
  });

  test("if a service quotes one line of it, or all its lines joined", () => {
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

  test("if it is a string inside the JSON that the program declared secret", () => {
    const account = JSON.stringify({ key: "line one of the key\nline two of the key", user: "me" });
    expect(mask("bad: line one of the key\nline two of the key.", account)).toBe("bad: [secret].");
  });

  test("with one mask if only white space separates it from the next secret", () => {
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
  ])("only as a complete word if it has fewer than 8 characters: %j", (text, expected) => {
    expect(mask(text, "root")).toBe(expected);
  });

  test.each(["my pw", "ab cd ef", "hunter 2", "12 34", "a\\bcd"])(
    "if it contains separators: %j",
    (secret) => {
      expect(
        mask(`the password "${secret}", ${JSON.stringify(secret)}.`, secret, secret.replace(/\W/g, "")),
      ).toBe('the password "[secret]", "[secret]".');
    },
  );

  test("anywhere in a text if it has 8 to 11 characters", () => {
    expect(mask("xhunter22x hunter2", "hunter22")).toBe("x[secret]x hunter2");
  });

  test("only if it occurs completely", () => {
    expect(mask("canary-bod canary-body", "canary-body")).toBe("canary-bod [secret]");
  });

  test.each(Object.keys(SPELLINGS))("even if it has as %s", (name) => {
    expect(mask(`before "${encoded("hu/ter-2é", [name])}" after`, "hu/ter-2é")).toContain("[secret]");
  });

  test.each([12345, 1234n, 12345678901234567890n])(
    "only as a complete word if it is the number %s",
    (number) => {
      expect(mask(`port ${number}, 9${number}, ${number}0, [${number}]`, number)).toBe(
        `port [secret], 9${number}, ${number}0, [[secret]]`,
      );
    },
  );

  test("only if it has at least four characters or digits", () => {
    expect(mask("a b abc 123 -123", "", "a", "abc", 123, -123)).toBe("a b abc 123 -123");
  });

  test("literally if it consists mostly of backslashes", () => {
    expect(mask("a \\\\\\x b", "\\\\\\x")).toBe("a [secret] b");
  });
});

describe("a text is unchanged", () => {
  test("if it contains no secret", () => {
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

  test("where a secret is part of the resource's name, and only there", () => {
    const redactor = new Redactor(["postgres", "database-postgres-1", "role"]);
    redactor.spare("acme/postgres", "postgres", undefined, "a");
    expect(redactor.mask("acme/postgres: role postgres has database-postgres-1")).toBe(
      "acme/postgres: [secret] postgres has [secret]",
    );
  });

  test("except for userinfo in URLs, which is masked without being declared secret", () => {
    expect(mask("see https://me:hunter2@host/a@b and x@y, http:\\/\\/u:p@h, a://b, ://@")).toBe(
      "see https://[secret]@host/a@b and x@y, http:\\/\\/[secret]@h, a://b, ://@",
    );
  });
});

describe("Redactor", () => {
  test("reads its secrets once, at the first mask", () => {
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

  test("truncates a text after MOST_TEXT characters", () => {
    const text = `${"x ".repeat(MOST_TEXT / 2)}and a canary-of-ours`;
    expect(mask(text, "canary-of-ours")).toBe(`${text.slice(0, MOST_TEXT)}…`);
  });

  test("withholds every text if its secrets cannot be read", () => {
    const redactor = new Redactor(["first-secret-text"], () => {
      throw new Error("a canary in an error");
    });
    for (const text of ["first-secret-text", "a canary"]) {
      expect(redactor.mask(text)).toBe("[text withheld: it could not be searched for secrets]");
    }
  });

  test("masks a secret in five levels of base64", () => {
    const canary = "canary-of-ours-within";
    const deep = encoded(
      canary,
      Array.from({ length: 5 }, () => "base64"),
    );
    expect(mask(deep, canary)).not.toContain(deep.slice(5, 25));
  });
});
