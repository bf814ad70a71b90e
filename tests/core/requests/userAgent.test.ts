import { validateHeaderValue } from "node:http";
import { namesIn, userAgentOf } from "../../../provider/core/requests/userAgent";
import { userAgent, VERSION } from "../../../provider/version";

const { version: SDK } = require("@pulumi/pulumi/package.json") as { version: string };

describe("user agent", () => {
  test("contains the versions of the package and of the Pulumi SDK", () => {
    expect(userAgent()).toBe(`pulumi-quarterdeck/${VERSION} pulumi-sdk/${SDK}`);
  });

  test("contains the project and the stack if they are known", () => {
    expect(userAgentOf(["a/1"], { project: "shop", stack: "prod" })).toBe("a/1 (project shop; stack prod)");
    expect(userAgentOf(["a/1"], { project: "shop" })).toBe("a/1 (project shop)");
    expect(userAgentOf(["a/1"], { project: "", stack: undefined })).toBe("a/1");
  });

  test.each(["größe", "a\r\nx-evil: 1", "(nested) \\", "日本", "\ud800", "😀".repeat(300), "%", "'*!"])(
    "contains the stack name %j encoded for a header",
    (stack) => {
      const text = userAgentOf(["a/1"], { stack });
      expect(() => validateHeaderValue("user-agent", text)).not.toThrow();
      expect(text).toMatch(/^a\/1 \(stack [\w.~%-]+\)$/);
      const name = decodeURIComponent(/stack (\S+)\)/.exec(text)?.[1] ?? "");
      expect(name).toBe([...stack.toWellFormed()].slice(0, 100).join(""));
    },
  );
});

test.each([
  ["urn:pulumi:prod::shop::quarterdeck:scheduler:Job::web", { stack: "prod", project: "shop" }],
  ["urn:pulumi:prod::shop::pulumi:providers:quarterdeck::default_0_1_0", { stack: "prod", project: "shop" }],
  ["", {}],
  ["urn:pulumi:::::pulumi:providers:quarterdeck::", {}],
])("namesIn extracts from the URN %j the names %j", (urn, names) => {
  expect(namesIn(urn)).toEqual(names);
});
