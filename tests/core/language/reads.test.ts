import { isRequestedObject, isWrittenObject } from "../../../provider/core/language/reads";

const shows = { named: { triggerId: "id" }, within: { ownerId: "owner-id" } };
const body = { id: "rt-1", "owner-id": "ws-1" };

test("isObjectWritten rejects the response for an object of another parent", () => {
  expect(isWrittenObject(shows, { ownerId: "ws-1" }, body)).toBe(true);
  expect(isWrittenObject(shows, { ownerId: "ws-2" }, body)).toBe(false);
});

describe("isObjectAsked", () => {
  const path = "/triggers/{triggerId}";

  test("accepts the object with its ID and its parent", () => {
    expect(isRequestedObject(shows, path, { triggerId: "rt-1", ownerId: "ws-1" }, body)).toBe(true);
  });

  test("rejects an object of another parent, or without its parent, although the path names only the object", () => {
    const address = { triggerId: "rt-1", ownerId: "ws-2" };
    expect(isRequestedObject(shows, path, address, body)).toBe(false);
    expect(isRequestedObject(shows, path, address, { id: "rt-1" })).toBe(false);
  });

  test("accepts any parent as long as the address contains none", () => {
    expect(isRequestedObject(shows, path, { triggerId: "rt-1" }, body)).toBe(true);
  });
});
