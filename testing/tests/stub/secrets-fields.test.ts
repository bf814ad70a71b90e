import { seconds, spelled } from "../../stub/services/secrets/durations";
import { Refusal } from "../../stub/services/secrets/errors";
import { Fields } from "../../stub/services/secrets/fields";

describe("Durations", () => {
  test.each([
    ["24h", 86_400],
    ["1d", 86_400],
    ["1h30m", 5400],
    ["90s", 90],
    ["1.5h", 5400],
    ["2500ms", 2],
    ["86400", 86_400],
    [86_400, 86_400],
    ["", 0],
    [0, 0],
    ["-5m", -300],
  ])("%j is %d seconds", (value, expected) => {
    expect(seconds(value)).toBe(expected);
  });

  test.each(["soon", "1 h", "h", "1w", 1.5, true, null, []])("%j is none", (value) => {
    expect(seconds(value)).toBeUndefined();
  });

  test.each([
    [0, "0s"],
    [59, "59s"],
    [60, "1m0s"],
    [1800, "30m0s"],
    [3599, "59m59s"],
    [3600, "1h0m0s"],
    [129_661, "36h1m1s"],
  ])("%d seconds are spelled %s", (total, expected) => {
    expect(spelled(total)).toBe(expected);
  });
});

describe("The fields of a body", () => {
  const read = (value: unknown) => new Fields({ field: value });

  test.each([
    [true, true],
    ["true", true],
    ["1", true],
    [1, true],
    [false, false],
    ["false", false],
    ["0", false],
    [0, false],
    ["", false],
  ])("%j is the boolean %s", (value, expected) => {
    expect(read(value).boolean("field")).toBe(expected);
  });

  test.each([
    [7, 7],
    ["7", 7],
    ["", 0],
  ])("%j is the integer %d", (value, expected) => {
    expect(read(value).integer("field")).toBe(expected);
  });

  test.each([
    ["text", "text"],
    [7, "7"],
    [true, "true"],
  ])("%j is the string %s", (value, expected) => {
    expect(read(value).string("field")).toBe(expected);
  });

  test.each([
    [
      ["a", "b"],
      ["a", "b"],
    ],
    ["a, b", ["a", "b"]],
    ["", []],
    [[], []],
  ])("%j is the list %j", (value, expected) => {
    expect(read(value).list("field")).toEqual(expected);
  });

  test.each([
    ["boolean", "yes"],
    ["integer", "seven"],
    ["integer", 1.5],
    ["string", {}],
    ["list", [1]],
    ["list", {}],
    ["duration", "soon"],
    ["duration", -1],
  ] as const)("for a %s, %j is 400", (kind, value) => {
    const wrong = () => read(value)[kind]("field");
    expect(wrong).toThrow(Refusal);
    expect(wrong).toThrow('"field"');
  });

  test("an absent field and null are not given", () => {
    for (const fields of [new Fields({}), read(null)]) {
      expect(fields.has("field")).toBe(false);
      expect(fields.string("field")).toBeUndefined();
    }
    expect(read("").has("field")).toBe(true);
  });
});
