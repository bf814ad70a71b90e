import * as pulumi from "@pulumi/pulumi";
import { protect } from "../../sdk/runtime/documents";
import { settled } from "./engine";

const names = ["PrivateKey"];

describe("document with secret members", () => {
  it("has only the secret member marked, and all others unchanged", async () => {
    const later = pulumi.output("later");
    const document = { Name: "web", Later: later, Nested: [{ PrivateKey: "canary", Size: 1 }] };
    // It is still a plain object: as one output, a single unknown part would make all of it unknown in a preview.
    const guarded = protect(document, names) as typeof document;
    expect(pulumi.Output.isInstance(guarded)).toBe(false);
    expect(guarded.Name).toBe("web");
    expect(await settled(guarded.Later)).toEqual({ value: "later", isSecret: false, isKnown: true });
    expect(guarded.Nested[0]?.Size).toBe(1);
    const key: unknown = guarded.Nested[0]?.PrivateKey;
    expect(await settled(key as pulumi.Output<string>)).toEqual({
      value: "canary",
      isSecret: true,
      isKnown: true,
    });
  });

  it("is not mutated", () => {
    const document = { PrivateKey: "canary" };
    protect(document, names);
    expect(document).toEqual({ PrivateKey: "canary" });
  });

  it("is completely secret if it is JSON text", async () => {
    const text = '{"PrivateKey":"canary"}';
    expect(await settled(protect(text, names) as pulumi.Output<string>)).toEqual({
      value: text,
      isSecret: true,
      isKnown: true,
    });
  });

  it("is completely secret if it is HCL text that sets a secret member", async () => {
    for (const text of ['PrivateKey = "canary"', "job {\n  PrivateKey=var.key\n}"]) {
      const guarded = await settled(protect(text, names) as pulumi.Output<string>);
      expect(guarded).toEqual({ value: text, isSecret: true, isKnown: true });
    }
    for (const text of ['PrivateKey = ""', "MyPrivateKey = 1", "# a PrivateKey", "Key = PrivateKey"]) {
      expect(protect(text, names)).toBe(text);
    }
  });

  it("is unchanged if it contains no secret", () => {
    expect(protect('{"PrivateKey":""}', names)).toBe('{"PrivateKey":""}');
    expect(protect("PrivateKey", names)).toBe("PrivateKey");
    expect(protect(undefined, names)).toBeUndefined();
    expect(protect({ PrivateKey: null, Name: "web" }, names)).toEqual({ PrivateKey: null, Name: "web" });
  });
});
