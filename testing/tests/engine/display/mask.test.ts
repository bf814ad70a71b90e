import { masker } from "../../../engine/display/mask";
import type { EngineEvent } from "../../../engine/events";

const say = (message: string): EngineEvent => ({
  diagnosticEvent: { message, color: "never", severity: "error" },
});

const messageOf = (event: EngineEvent) => event.diagnosticEvent?.message;

test("a secret of the configuration is masked in every message", () => {
  expect(messageOf(masker(["s3cr.t"])(say("token s3cr.t was refused, s3cr.t!")))).toBe(
    "token [secret] was refused, [secret]!",
  );
  expect(messageOf(masker(["s3cr.t"])(say("s3crXt")))).toBe("s3crXt");
});

test("so is its written form in JSON", () => {
  expect(messageOf(masker(['a"b\nc'])(say('{"token":"a\\"b\\nc"}')))).toBe('{"token":"[secret]"}');
});

test("a secret that is the beginning of another leaves nothing of it", () => {
  expect(messageOf(masker(["abc", "abcdef"])(say("abcdef abc")))).toBe("[secret] [secret]");
});

test("texts too short or too common are left alone, as the CLI leaves them", () => {
  expect(messageOf(masker(["ab", "true", "FALSE"])(say("ab is true, or FALSE")))).toBe(
    "ab is true, or FALSE",
  );
});

test("property values are masked at any depth, and neither names nor operations are", () => {
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
