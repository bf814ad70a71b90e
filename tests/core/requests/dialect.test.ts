import { renameMembers } from "../../../provider/core/requests/dialect";
import { formatJson, type Json, parseJson } from "../../../provider/core/value/json";

const dialect = {
  headers: {},
  members: { "data.*.attributes.version": "release", "*.States.{}.Events.*.error": "fault" },
};

test("a pattern's * matches list elements, but no keys", () => {
  const body = { data: { "*": { attributes: { version: 1 } }, mine: { attributes: { version: 2 } } } };
  expect(renameMembers(body, dialect, "dialect")).toEqual(body);
  expect(renameMembers({ data: [{ attributes: { version: 1 } }] }, dialect, "dialect")).toEqual({
    data: [{ attributes: { release: 1 } }],
  });
});

test("a pattern's {} matches every key of a map and does not rename the key itself", () => {
  const list = (key: string, error: string) =>
    parseJson(formatJson([{ States: Object.fromEntries([[key, { Events: [{ [error]: "x" }] }]]) }]));
  for (const key of ["web", "error", "Events", "*", "{}", "constructor", "__proto__"]) {
    const renamed = renameMembers<Json>(list(key, "error"), dialect, "dialect");
    expect(formatJson(renamed)).toBe(formatJson(list(key, "fault")));
    expect(formatJson(renameMembers(renamed, dialect, "specification"))).toBe(formatJson(list(key, "error")));
  }
});
