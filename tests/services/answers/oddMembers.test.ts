import { catalog } from "../../../provider/catalog";
import { modelOfBody } from "../../../provider/core/diff/models";
import type { ObjectLifecycle } from "../../../provider/core/language/resource";
import { isObject, type Json, parseJson } from "../../../provider/core/value/json";
import { ldif } from "../../../provider/services/secrets/ldif";
import { errorsIn } from "../../../provider/services/workspaces/service";

const ODD = '{"toString":1}';

function objectIn(text: string): { readonly [member: string]: Json } {
  const value = parseJson(text);
  if (!isObject(value)) throw new Error(`no object: ${text}`);
  return value;
}

test("errors of an unknown shape are quoted as JSON", () => {
  const text = `{"errors":[{"status":90071992547409931},[${ODD}],${ODD},7]}`;
  const answer = { status: 422, headers: {}, attempts: 1, text, json: parseJson(text) };
  expect(errorsIn(answer)).toEqual(['{"status":90071992547409931}', `[${ODD}]`, ODD, "7"]);
});

test("isNeverUpdated returns false for an entry whose CreateIndex is an object", () => {
  const life = catalog["mesh:TerminatingGateway"]?.().life as ObjectLifecycle;
  const isNeverUpdated = life.check?.proof === "repeated" ? life.check.isNeverUpdated : undefined;
  expect(isNeverUpdated?.(objectIn(`{"CreateIndex":${ODD},"ModifyIndex":7}`))).toBe(false);
  expect(isNeverUpdated?.(objectIn('{"CreateIndex":7,"ModifyIndex":7}'))).toBe(true);
});

test("an entry with a list element whose identifying member is an object still has a spec", () => {
  const gateway = catalog["mesh:TerminatingGateway"]?.();
  const body = objectIn(
    `{"Kind":"terminating-gateway","Name":"g","Services":[{"Name":${ODD}},{"Name":"a"}]}`,
  );
  expect(gateway && Object.keys(modelOfBody(gateway, body, {}))).toContain("spec");
});

test("base64 of bytes that are not UTF-8 is not decoded as LDIF", () => {
  // Its bytes contain a colon and are not UTF-8.
  expect(Buffer.from("fuzz3886", "base64").includes(":")).toBe(true);
  expect(ldif.canonical("fuzz3886")).toBe("fuzz3886");
  expect(ldif.canonical(Buffer.from("dn: cn=ä").toString("base64"))).toBe("dn: cn=ä");
});
