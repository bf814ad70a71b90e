import { type ExpectedMembers, isWrittenObject } from "../../../provider/core/language/reads";

const shows: ExpectedMembers = { named: { quayId: "id", name: "name", tag: "tag?" } };

describe("isObjectWritten", () => {
  test.each([
    ["with the written ID and name", { id: "q-1", name: "east" }],
    ["with only the written ID", { id: "q-1" }],
    ["without any identifying member", {}],
    ["with a number for a written string of digits", { id: "q-1", name: "east", tag: 7 }],
  ])("accepts a response %s", (_, body) => {
    expect(isWrittenObject(shows, { quayId: "q-1", name: "east", tag: "7" }, body)).toBe(true);
  });

  test.each([
    ["a different name", { id: "q-1", name: "west" }],
    ["a different ID", { id: "q-2", name: "east" }],
    ["a different optional part", { id: "q-1", name: "east", tag: "8" }],
  ])("rejects a response with %s", (_, body) => {
    expect(isWrittenObject(shows, { quayId: "q-1", name: "east", tag: "7" }, body)).toBe(false);
  });

  test("accepts any ID if the program wrote none", () => {
    expect(isWrittenObject(shows, { name: "east" }, { id: "q-9", name: "east" })).toBe(true);
  });

  test("accepts any response if no member identifies the object", () => {
    expect(isWrittenObject({ always: ["ttl"] }, { name: "east" }, { name: "west" })).toBe(true);
  });

  test("accepts a response without a body, whose members are null", () => {
    expect(isWrittenObject({ named: { quayId: "id" } }, { quayId: "q-1" }, { id: null })).toBe(true);
  });
});
