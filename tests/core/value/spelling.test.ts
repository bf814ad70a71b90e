import fc from "fast-check";
import { durationText } from "../../../provider/core/value/duration";
import { equalJson } from "../../../provider/core/value/json";
import {
  caseFolded,
  commaList,
  durationAsText,
  durationInNanoseconds,
  durationInSeconds,
  instant,
  jsonText,
  upperCased,
} from "../../../provider/core/value/spelling";

test.each(["24h", "1440m", 86_400, "86400", "23h60m", "86400s", "1d"])(
  "durationInSeconds reads %j as one day",
  (spelling) => {
    expect(durationInSeconds.canonical(spelling)).toBe(86_400);
  },
);

test.each([30_000_000_000, "30s", "0.5m", "30000ms", "30000000000"])(
  "durationInNanoseconds reads %j as 30 seconds",
  (spelling) => {
    expect(durationInNanoseconds.canonical(spelling)).toBe(30_000_000_000);
  },
);

test("durations with a fraction are read without rounding errors", () => {
  for (const unit of ["s", "m", "h"])
    for (let tenths = 1; tenths < 100; tenths++) {
      const value = durationInNanoseconds.canonical(`${tenths / 10}${unit}`);
      expect([tenths, unit, Number.isInteger(value)]).toEqual([tenths, unit, true]);
    }
  expect(durationInNanoseconds.canonical("8.2s")).toBe(8_200_000_000);
  expect(durationInSeconds.canonical("1.1m")).toBe(66);
});

test("nanoseconds beyond 2^53 stay exact, as a bigint or as a string of digits", () => {
  const exact = 9_007_199_254_740_993n;
  expect([exact, String(exact)].map((value) => durationInNanoseconds.canonical(value))).toEqual([
    exact,
    exact,
  ]);
  expect(durationInNanoseconds.canonical("30000000000")).toBe(30_000_000_000);
});

test.each(["soon", "5 minutes", "h", "1.5.5s", ".s", "+", "1s-"])(
  "durationInSeconds leaves %j unchanged, because it is not a duration",
  (text) => {
    expect(durationInSeconds.canonical(text)).toBe(text);
  },
);

test("durationInNanoseconds reads every unit and number format that the services accept", () => {
  const table: readonly (readonly [string, number])[] = [
    ["1ns", 1],
    ["1us", 1e3],
    ["1µs", 1e3],
    ["1μs", 1e3],
    ["1ms", 1e6],
    ["1s", 1e9],
    ["1m", 60e9],
    ["1h", 3600e9],
    ["1d", 86_400e9],
    [".5s", 5e8],
    ["5.s", 5e9],
    ["+5s", 5e9],
    ["-1m30s", -90e9],
    ["+5", 5],
  ];
  for (const [text, nanoseconds] of table) {
    expect([text, durationInNanoseconds.canonical(text)]).toEqual([text, nanoseconds]);
  }
});

test("durationInSeconds encodes a fraction of a second with its unit, and an empty string as 0", () => {
  expect(durationInSeconds.encode?.("1500ms")).toBe("1.5s");
  expect(durationInSeconds.encode?.(1.5)).toBe("1.5s");
  expect(durationInSeconds.encode?.("1440m")).toBe(86_400);
  expect([durationInSeconds.canonical(""), durationInSeconds.encode?.("")]).toEqual([0, 0]);
});

test("jsonText reads the same value from any JSON layout and leaves invalid JSON unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, "\t"), (value, indent) => {
      const plain = JSON.parse(JSON.stringify(value));
      const canonical = jsonText.canonical(JSON.stringify(plain, null, indent));
      expect(equalJson(canonical, typeof plain === "string" ? JSON.stringify(plain) : plain)).toBe(true);
      expect(jsonText.canonical(canonical)).toEqual(canonical);
    }),
  );
  expect(jsonText.canonical(' "{\\"a\\": \\u0031}"')).toBe('"{\\"a\\": 1}"');
  expect(jsonText.canonical("")).toBeNull();
  expect(jsonText.canonical("{broken")).toBe("{broken");
  expect(jsonText.encode?.({ a: 1 })).toBe('{"a":1}');
});

test("commaList accepts a string or a list and ignores blanks", () => {
  expect(commaList.canonical(" a, b ,,c ")).toEqual(["a", "b", "c"]);
  expect(commaList.canonical(["a", " b"])).toEqual(["a", "b"]);
  expect(commaList.encode?.(["a", "b"])).toBe("a,b");
});

test("caseFolded converts strings and lists to lower case", () => {
  expect(caseFolded.canonical(["Team:Web", "b"])).toEqual(["team:web", "b"]);
  expect(caseFolded.canonical("LDAPS://Dir")).toBe("ldaps://dir");
});

test("upperCased converts a string to upper case and leaves a number unchanged", () => {
  expect(upperCased.canonical("sigUsr1")).toBe("SIGUSR1");
  expect(upperCased.canonical(7)).toBe(7);
});

test("instant reads the same time from any time zone and leaves text without a zone unchanged", () => {
  const spellings = ["2031-01-01T00:00:00Z", "2031-01-01T01:00:00+01:00", "2031-01-01T00:00:00.000Z"];
  expect(new Set(spellings.map((spelling) => instant.canonical(spelling))).size).toBe(1);
  // A time without a zone is a different instant on another machine.
  for (const text of ["tomorrow", "2031-01-01", "2031-01-01T12:00:00", "1", "2031-13-01T00:00:00Z"]) {
    expect(instant.canonical(text)).toBe(text);
  }
});

test.each([
  [28_800, 1e9, "8h"],
  [90, 1e9, "1m30s"],
  [0, 1e9, "0s"],
  [1.5, 1e9, "1s500ms"],
  [1_800_000_000_000, 1, "30m"],
  [9_007_199_254_740_993n, 1, "2501h59m59s254ms740us993ns"],
])("durationText(%d, %d) returns %j", (value, unit, text) => {
  expect(durationText(value, unit)).toBe(text);
});

test("reading a displayed duration returns the same duration", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), (nanoseconds) => {
      expect(durationInNanoseconds.canonical(durationInNanoseconds.display?.(nanoseconds) ?? "")).toBe(
        nanoseconds,
      );
      expect(durationInSeconds.canonical(durationInSeconds.display?.(nanoseconds) ?? "")).toBe(nanoseconds);
    }),
  );
});

test("durationInNanoseconds displays a value unchanged if it is not a duration", () => {
  for (const value of [-1, "soon", null, 0.1]) expect(durationInNanoseconds.display?.(value)).toBe(value);
});

test("durationAsText preserves every nanosecond", () => {
  const text = (seconds: number) => durationAsText.encode?.(`${seconds.toFixed(9)}s`);
  expect(text(90.1)).toBe("0h1m30.1s");
  expect(text(5400)).toBe("1h30m0s");
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 15 }), (nanoseconds) => {
      const [, hours, minutes, seconds] =
        /^(\d+)h(\d+)m([\d.]+)s$/.exec(String(text(nanoseconds / 1e9))) ?? [];
      const inNanoseconds = (Number(hours) * 60 + Number(minutes)) * 60e9 + Math.round(Number(seconds) * 1e9);
      expect(inNanoseconds).toBe(nanoseconds);
      expect(seconds).toMatch(/^\d{1,2}(\.\d{1,9})?$/);
    }),
  );
});
