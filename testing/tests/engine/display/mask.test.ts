import { masker } from "../../../engine/display/mask";
import type { EngineEvent } from "../../../engine/events";

const messageEvent = (message: string): EngineEvent => ({
  diagnosticEvent: { message, color: "never", severity: "error" },
});

const messageOf = (event: EngineEvent) => event.diagnosticEvent?.message;

test("every occurrence of a configuration secret in a message is masked", () => {
  expect(messageOf(masker(["s3cr.t"])(messageEvent("token s3cr.t was refused, s3cr.t!")))).toBe(
    "token [secret] was refused, [secret]!",
  );
  expect(messageOf(masker(["s3cr.t"])(messageEvent("s3crXt")))).toBe("s3crXt");
});

test("the JSON-escaped form of a configuration secret is masked", () => {
  expect(messageOf(masker(['a"b\nc'])(messageEvent('{"token":"a\\"b\\nc"}')))).toBe('{"token":"[secret]"}');
});

test("masks both secrets completely if one is a prefix of the other", () => {
  expect(messageOf(masker(["abc", "abcdef"])(messageEvent("abcdef abc")))).toBe("[secret] [secret]");
});

test("very short strings and booleans are not masked, as in the CLI", () => {
  expect(messageOf(masker(["ab", "true", "FALSE"])(messageEvent("ab is true, or FALSE")))).toBe(
    "ab is true, or FALSE",
  );
});

test("masks property values at any depth, but no property names or operations", () => {
  const state = { type: "t", urn: "urn", id: "", parent: "", provider: "" };
  const event = masker(["create"])({
    resourcePreEvent: {
      metadata: {
        op: "create",
        urn: "urn",
        type: "t",
        provider: "",
        new: {
          ...state,
          inputs: { create: ["x create", { deep: "create" }] },
          outputs: { plain: 1, none: null },
        },
      },
    },
  } as EngineEvent);
  expect(event.resourcePreEvent?.metadata).toMatchObject({
    op: "create",
    new: { inputs: { create: ["x [secret]", { deep: "[secret]" }] }, outputs: { plain: 1, none: null } },
  });
});
