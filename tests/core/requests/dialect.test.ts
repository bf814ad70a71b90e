import { renameMembers } from "../../../provider/core/requests/dialect";
import { formatJson, type Json, parseJson } from "../../../provider/core/value/json";

const dialect = {
  headers: {},
  members: { "data.*.attributes.version": "release", "*.States.{}.Events.*.error": "fault" },
};

test("a pattern's * is an element of a list, and no user's key", () => {
  const body = { data: { "*": { attributes: { version: 1 } }, mine: { attributes: { version: 2 } } } };
  expect(renameMembers(body, dialect, "dialect")).toEqual(body);
  expect(renameMembers({ data: [{ attributes: { version: 1 } }] }, dialect, "dialect")).toEqual({
    data: [{ attributes: { release: 1 } }],
  });
});

test("a pattern's {} is any key of a map, and the key itself keeps its name", () => {
  const list = (key: string, error: string) =>
    parseJson(formatJson([{ States: Object.fromEntries([[key, { Events: [{ [error]: "x" }] }]]) }]));
  for (const key of ["web", "error", "Events", "*", "{}", "constructor", "__proto__"]) {
    const there = renameMembers<Json>(list(key, "error"), dialect, "dialect");
    expect(formatJson(there)).toBe(formatJson(list(key, "fault")));
    expect(formatJson(renameMembers(there, dialect, "specification"))).toBe(formatJson(list(key, "error")));
  }
});
