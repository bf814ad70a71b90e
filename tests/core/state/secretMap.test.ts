import { Redactor } from "../../../packages/redact";
import { SecretMap } from "../../../provider/core/state/secretMap";
import { KEY } from "../../../provider/core/value/path";
import { exampleDefinition } from "../../generate/exampleDefinition";

const map = (...known: readonly (string | bigint)[]) =>
  new SecretMap(exampleDefinition, {}, new Redactor(() => known.map((secret) => String(secret))));

describe("a path in a message", () => {
  test.each([
    ["a name in a map", "hunter2-hunter2"],
    ["the key of a list element", `${KEY}hunter2-hunter2`],
  ])("ends before %s that equals a secret", (_, segment) => {
    expect(map("hunter2-hunter2").shownPath(["crew", segment, "age"])).toEqual(["crew"]);
    expect(map("other-secret").shownPath(["crew", segment, "age"])).toEqual(["crew", segment, "age"]);
  });
});

test("a number of any size is a copy of a secret with the same digits", () => {
  const secret = 12345678901234567890n;
  expect(map(secret).isCopy(secret)).toBe(true);
  expect(map(secret).isCopy(secret + 1n)).toBe(false);
  expect(map("123456789").isCopy(123456789)).toBe(true);
});
