import fc from "fast-check";
import { equalJson, formatJson, isObject, type Json, parseJson } from "../../../provider/core/value/json";

const anyJson: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
    fc.bigInt({ min: -(2n ** 64n), max: -(2n ** 53n) }),
    fc.string({ unit: "binary" }),
    fc.array(tie("value")),
    fc.dictionary(fc.string(), tie("value")),
  ),
})).value;

describe("JSON", () => {
  test("parseJson returns the value that formatJson wrote, including 64-bit integers", () => {
    fc.assert(fc.property(anyJson, (value) => equalJson(parseJson(formatJson(value)), value)));
  });

  test("indented output parses to the same value", () => {
    fc.assert(fc.property(anyJson, (value) => equalJson(parseJson(formatJson(value, 2)), value)));
    expect(formatJson({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  test("formats and parses like JavaScript's JSON object if no integer is large", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => formatJson(value as Json) === JSON.stringify(value)));
    fc.assert(
      fc.property(
        fc.json(),
        (text) =>
          JSON.stringify(JSON.parse(formatJson(parseJson(text)))) === JSON.stringify(JSON.parse(text)),
      ),
    );
  });

  test("an unsigned 64-bit hash keeps its last digit", () => {
    const text = '{"Hash":18446744073709551615,"Index":12}';
    expect(parseJson(text)).toEqual({ Hash: 18446744073709551615n, Index: 12 });
    expect(formatJson(parseJson(text))).toBe(text);
  });

  test("parses safe integers as numbers and larger integers as bigints, positive and negative", () => {
    expect(parseJson("[9007199254740991,9007199254740992,-9007199254740991,-9007199254740992]")).toEqual([
      9007199254740991,
      9007199254740992n,
      -9007199254740991,
      -9007199254740992n,
    ]);
  });

  test("parses each number independently of its neighbors", () => {
    // Some of these have the same double, but different values.
    const numbers = [
      "9007199254740993",
      "9007199254740992",
      "9007199254740992.0",
      "9.007199254740992e15",
      "1e20",
    ];
    const more = [
      "100000000000000000000",
      "-9007199254740993",
      "1e400",
      "12",
      "0.10000000000000001",
      "-0",
      "1e-5",
    ];
    const number = fc.constantFrom(...numbers, ...more);
    const text = fc.array(
      fc.oneof(
        number,
        number.map((each) => JSON.stringify(each)),
      ),
      { maxLength: 6 },
    );
    const alone = (each: string) => (each.startsWith('"') ? JSON.parse(each) : parseJson(each));
    fc.assert(
      fc.property(text, (each) => {
        expect(parseJson(`[${each.join()}]`)).toEqual(each.map(alone));
        expect(parseJson(`{"a":[{"b":[${each.join()}]}]}`)).toEqual({ a: [{ b: each.map(alone) }] });
      }),
    );
    expect(numbers.map(parseJson)).toEqual([9007199254740993n, 9007199254740992n, 2 ** 53, 2 ** 53, 1e20]);
  });

  test("parses a float beyond the range of doubles as the nearest double, never as infinity", () => {
    expect(parseJson("[1e400,-1e400,0.12345678901234567890]")).toEqual([
      Number.MAX_VALUE,
      -Number.MAX_VALUE,
      0.12345678901234568,
    ]);
  });

  test("uses the last of two members with the same name, also if it is a large integer", () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
    expect(parseJson('{"a":1,"a":18446744073709551615}')).toEqual({ a: 18446744073709551615n });
  });

  test("replaces an unpaired surrogate by U+FFFD and preserves a surrogate pair", () => {
    expect(parseJson('{"a\\ud800": ["\\uD83D\\uDE00", "b\\udc00c", {"d": "\\\\ud800"}], "n": 1}')).toEqual({
      "a\ufffd": ["😀", "b\ufffdc", { d: "\\ud800" }],
      n: 1,
    });
    expect(parseJson('"a\ud800"')).toBe("a\ufffd");
  });

  test("treats a member named __proto__ as ordinary data", () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":18446744073709551615}}']) {
      const value = parseJson(text);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(formatJson(value)).toBe(text);
    }
  });

  test("omits undefined members", () => {
    // A caller without exact types can pass such a value.
    expect(formatJson({ a: undefined, b: 1 } as unknown as Json)).toBe('{"b":1}');
  });

  test("rejects NaN and infinity", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => formatJson([value])).toThrow(RangeError);
  });

  test.each(['{"token":"hunter2', "hunter2", "[18446744073709551615,hunter2]", "[".repeat(100_000), ""])(
    "rejects invalid JSON without quoting it in the error (%#)",
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
      expect(() => parseJson(text)).not.toThrow(/hunter2|\[\[/);
    },
  );
});

describe("equalJson", () => {
  test("ignores the order of keys, but not the order of elements", () => {
    expect(equalJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(equalJson([1, 2], [2, 1])).toBe(false);
  });

  test("a bigint equals only the number of the same value", () => {
    expect(equalJson([1], [1n])).toBe(true);
    expect(equalJson(2n, 2.5)).toBe(false);
    expect(equalJson(2 ** 53, 9007199254740993n)).toBe(false);
    expect(equalJson(1e21, 10n ** 21n)).toBe(true);
  });

  test("a number beyond 2^53 equals itself after formatting and parsing", () => {
    // The double's exact value ends in 512. JavaScript writes it with 510 at the end, and a service stores that number.
    const written = 31321109315600510;
    expect(equalJson(written, parseJson(formatJson(written)))).toBe(true);
  });

  test("null, false, 0 and the empty string, list and object are all different", () => {
    const values: Json[] = [null, false, 0, "", [], {}];
    for (const [i, a] of values.entries()) {
      for (const [j, b] of values.entries()) expect(equalJson(a, b)).toBe(i === j);
    }
  });

  test("an absent member equals undefined, but not null", () => {
    expect(equalJson({}, { a: undefined } as unknown as Json)).toBe(true);
    expect(equalJson({}, { a: null })).toBe(false);
    expect(equalJson(undefined, undefined)).toBe(true);
  });

  test("inherited properties are not members", () => {
    expect(equalJson({ constructor: 1 }, { toString: 1 })).toBe(false);
    expect(equalJson({}, { constructor: Object } as unknown as Json)).toBe(false);
  });

  test("two values are equal exactly if their canonical texts are equal", () => {
    fc.assert(fc.property(anyJson, anyJson, (a, b) => equalJson(a, b) === (canonical(a) === canonical(b))));
  });
});

test("isObject is true for an object, but not for an array, null, a string or undefined", () => {
  expect([{}, [], null, "", undefined].map(isObject)).toEqual([true, false, false, false, false]);
});

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return formatJson(typeof value === "number" && Object.is(value, -0) ? 0 : value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join()}}`;
}
