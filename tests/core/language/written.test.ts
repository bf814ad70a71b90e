import { isObjectWritten, type Shows } from "../../../provider/core/language/reads";

const shows: Shows = { named: { quayId: "id", name: "name", tag: "tag?" } };

describe("the object that a write is answered with", () => {
  test.each([
    ["names what was written", { id: "q-1", name: "east" }],
    ["names less of it", { id: "q-1" }],
    ["names nothing", {}],
    ["names it by a number", { id: "q-1", name: "east", tag: 7 }],
  ])("is it where it %s", (_, body) => {
    expect(isObjectWritten(shows, { quayId: "q-1", name: "east", tag: "7" }, body)).toBe(true);
  });

  test.each([
    ["another name", { id: "q-1", name: "west" }],
    ["another id", { id: "q-2", name: "east" }],
    ["another part that is not always answered", { id: "q-1", name: "east", tag: "8" }],
  ])("is another one by %s", (_, body) => {
    expect(isObjectWritten(shows, { quayId: "q-1", name: "east", tag: "7" }, body)).toBe(false);
  });

  test("may have whatever id the service made for it", () => {
    expect(isObjectWritten(shows, { name: "east" }, { id: "q-9", name: "east" })).toBe(true);
  });

  test("is taken as it comes where nothing in an answer names it", () => {
    expect(isObjectWritten({ always: ["ttl"] }, { name: "east" }, { name: "west" })).toBe(true);
  });
});
