import fc from "fast-check";
import { hclText, textInHcl } from "../../../cli/import/terraform/hcl";
import { keyText, moduleCalls } from "../../../cli/import/terraform/source";

test("a quoted text has the escapes of Terraform's addresses", () => {
  expect(hclText('a"b\\c\n\r\t')).toBe('"a\\"b\\\\c\\n\\r\\t"');
  // biome-ignore lint/suspicious/noTemplateCurlyInString: HCL, whose templates begin with the same characters.
  expect(hclText("${x} %{if} $ % $${y}")).toBe('"$${x} %%{if} $ % $$${y}"');
  expect(hclText("\b\u2028\u00a0 ü😀\u{e0001}")).toBe('"\\u0008\\u2028\\u00a0 ü😀\\U000e0001"');
});

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("$", "%", "{", "}", "\\", '"', "\n", "]", ".", "module"))
    .map((parts) => parts.join("")),
);

test("a quoted text is read back unchanged", () =>
  fc.assert(fc.property(texts, (text) => expect(textInHcl(hclText(text))).toBe(text))));

test("the module calls of an address have the keys of the configuration", () =>
  fc.assert(
    fc.property(fc.array(fc.oneof(texts, fc.nat(), fc.constant(undefined)), { minLength: 1 }), (keys) => {
      const calls = keys.map((key) => (key === undefined ? { name: "net" } : { name: "net", key }));
      const address = keys.map((key) => `module.net${keyText(key)}`).join(".");
      expect(moduleCalls(address)).toEqual(calls);
    }),
  ));
