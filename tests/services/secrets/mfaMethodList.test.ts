import type { HttpAnswer } from "../../../provider/core/http/request";
import type { Address } from "../../../provider/core/language/object";
import type { Site } from "../../../provider/core/language/service";
import { inParentNamespace } from "../../../provider/services/secrets/mfaMethodByName";

const shown = { one: { namespace_path: "team/" }, two: { namespace_path: "" }, three: {} };
const page = { json: { data: { keys: Object.keys(shown), key_info: shown } } } as unknown as HttpAnswer;
const why = (key: string, namespace?: string, within: Address = {}) =>
  inParentNamespace(key, page, { settings: { namespace } } as unknown as Site, within);

test("a method of a parent namespace is told from the connection's own, however its path is spelt", () => {
  expect(why("one", "/team")).toBeUndefined();
  expect(why("two", "team")).toMatch(/of the namespace root/);
  expect(why("one", "team/sub")).toMatch(/of the namespace team,/);
  expect(why("one", "/team/", { namespace: "sub" })).toMatch(/of the namespace team,/);
  expect(why("one", undefined, { namespace: "team" })).toBeUndefined();
});

test("where the service or the settings do not tell the namespace, a method is not set apart", () => {
  expect(why("three", "team")).toBeUndefined();
  expect(why("two")).toBeUndefined();
});
