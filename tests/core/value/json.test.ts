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
  test("what is written is read back as the same value, 64-bit integers included", () => {
    fc.assert(fc.property(anyJson, (value) => equalJson(parseJson(formatJson(value)), value)));
  });

  test("indentation changes nothing but the look", () => {
    fc.assert(fc.property(anyJson, (value) => equalJson(parseJson(formatJson(value, 2)), value)));
    expect(formatJson({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  test("it says the same as the language's own JSON where no integer is large", () => {
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

  test("the largest safe integer is a number, the next one a bigint, on both sides of zero", () => {
    expect(parseJson("[9007199254740991,9007199254740992,-9007199254740991,-9007199254740992]")).toEqual([
      9007199254740991,
      9007199254740992n,
      -9007199254740991,
      -9007199254740992n,
    ]);
  });

  test("each number is read as it is written, whatever others are its neighbours", () => {
    // Some of these are one double, and other values.
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

  test("a float beyond a double becomes the nearest double, never infinity", () => {
    expect(parseJson("[1e400,-1e400,0.12345678901234567890]")).toEqual([
      Number.MAX_VALUE,
      -Number.MAX_VALUE,
      0.12345678901234568,
    ]);
  });

  test("of two members with one name the later counts, beside large integers as elsewhere", () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
    expect(parseJson('{"a":1,"a":18446744073709551615}')).toEqual({ a: 18446744073709551615n });
  });

  test("half of a surrogate pair is read as the character that stands for none, and a whole pair as it is", () => {
    expect(parseJson('{"a\\ud800": ["\\uD83D\\uDE00", "b\\udc00c", {"d": "\\\\ud800"}], "n": 1}')).toEqual({
      "a\ufffd": ["😀", "b\ufffdc", { d: "\\ud800" }],
      n: 1,
    });
    expect(parseJson('"a\ud800"')).toBe("a\ufffd");
  });

  test("a member called __proto__ is data like any other", () => {
    for (const text of ['{"__proto__":{"a":1}}', '{"__proto__":{"a":18446744073709551615}}']) {
      const value = parseJson(text);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(formatJson(value)).toBe(text);
    }
  });

  test("undefined members are left out", () => {
    // A caller without exact types can hand over such a value.
    expect(formatJson({ a: undefined, b: 1 } as unknown as Json)).toBe('{"b":1}');
  });

  test("numbers that JSON cannot say are refused", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => formatJson([value])).toThrow(RangeError);
  });

  test.each(['{"token":"hunter2', "hunter2", "[18446744073709551615,hunter2]", "[".repeat(100_000), ""])(
    "text that is no JSON is refused without being quoted (%#)",
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
      expect(() => parseJson(text)).not.toThrow(/hunter2|\[\[/);
    },
  );
});

describe("equality", () => {
  test("the order of keys does not matter, the order of elements does", () => {
    expect(equalJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(equalJson([1, 2], [2, 1])).toBe(false);
  });

  test("a bigint equals the same number, and only that", () => {
    expect(equalJson([1], [1n])).toBe(true);
    expect(equalJson(2n, 2.5)).toBe(false);
    expect(equalJson(2 ** 53, 9007199254740993n)).toBe(false);
    expect(equalJson(1e21, 10n ** 21n)).toBe(true);
  });

  test("a number beyond 2^53 equals what is read after it was written", () => {
    // The double's exact value is ...512; what JavaScript writes for it, and a service keeps, is ...510.
    const written = 31321109315600510;
    expect(equalJson(written, parseJson(formatJson(written)))).toBe(true);
  });

  test("null, false, 0, empty text, empty list and empty object all differ", () => {
    const values: Json[] = [null, false, 0, "", [], {}];
    for (const [i, a] of values.entries()) {
      for (const [j, b] of values.entries()) expect(equalJson(a, b)).toBe(i === j);
    }
  });

  test("an absent member equals an undefined one, and differs from null", () => {
    expect(equalJson({}, { a: undefined } as unknown as Json)).toBe(true);
    expect(equalJson({}, { a: null })).toBe(false);
    expect(equalJson(undefined, undefined)).toBe(true);
  });

  test("names that every object inherits are no members", () => {
    expect(equalJson({ constructor: 1 }, { toString: 1 })).toBe(false);
    expect(equalJson({}, { constructor: Object } as unknown as Json)).toBe(false);
  });

  test("every value equals itself after a trip through text, and differs from another one", () => {
    fc.assert(fc.property(anyJson, anyJson, (a, b) => equalJson(a, b) === (canonical(a) === canonical(b))));
  });
});

test("an object is neither an array nor null", () => {
  expect([{}, [], null, "", undefined].map(isObject)).toEqual([true, false, false, false, false]);
});

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return formatJson(typeof value === "number" && Object.is(value, -0) ? 0 : value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join()}}`;
}
