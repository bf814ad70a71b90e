import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { createProvider, openProvider, readPassphrase } from "../../../engine/backend/passphrase";
import { PASSPHRASE, recordedText, SECRETS, temporaryFolder } from "../recorded";

const settings: {
  encryptionsalt: string;
  config: { "harbour:token": { secure: string }; "harbour:nested": { password: { secure: string } } };
} = parse(recordedText("Pulumi.dev.yaml"));

test("what the CLI encrypted is read with its passphrase", async () => {
  const { crypter } = await openProvider(settings.encryptionsalt, PASSPHRASE);
  expect(crypter.decrypt(settings.config["harbour:token"].secure)).toBe(SECRETS.token);
  expect(crypter.decrypt(settings.config["harbour:nested"].password.secure)).toBe(SECRETS.password);
});

test("another passphrase is refused with the CLI's words", async () => {
  await expect(openProvider(settings.encryptionsalt, "another")).rejects.toThrow(/^incorrect passphrase$/);
});

test("a salt of another version is refused", async () => {
  await expect(openProvider("v2:AAAA:v1:BBBB:CCCC", PASSPHRASE)).rejects.toThrow("unknown state version");
});

test("a new provider opens again with its passphrase, and only with it", async () => {
  const { salt, crypter } = await createProvider("one");
  const again = await openProvider(salt, "one");
  expect(again.crypter.decrypt(crypter.encrypt("text"))).toBe("text");
  await expect(openProvider(salt, "two")).rejects.toThrow("incorrect passphrase");
});

test("two providers have different salts, even of one passphrase", async () => {
  const [left, right] = await Promise.all([createProvider("same"), createProvider("same")]);
  expect(left.salt).not.toBe(right.salt);
});

test("any text comes back from its ciphertext, which is another one each time", async () => {
  const { crypter } = await createProvider("p");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const ciphertext = crypter.encrypt(text);
      expect(crypter.decrypt(ciphertext)).toBe(text);
      expect(crypter.encrypt(text)).not.toBe(ciphertext);
    }),
  );
});

test("a ciphertext that was changed anywhere is refused", async () => {
  const { crypter } = await createProvider("p");
  const [version, nonce, sealed = ""] = crypter.encrypt("some text").split(":");
  const bytes = Buffer.from(sealed, "base64");
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => crypter.decrypt([version, nonce, changed.toString("base64")].join(":"))).toThrow(
      "message authentication failed",
    );
  }
});

describe("the passphrase", () => {
  test("is the variable's, even where that is empty", () => {
    expect(readPassphrase({ PULUMI_CONFIG_PASSPHRASE: "" }, ".")).toBe("");
  });

  test("is the text of a file, without the white space around it", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "phrase"), "  from a file\n");
    expect(readPassphrase({ PULUMI_CONFIG_PASSPHRASE_FILE: "phrase" }, folder)).toBe("from a file");
  });

  test("is missed with the CLI's words where neither is set", () => {
    expect(() => readPassphrase({}, ".")).toThrow(
      "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables",
    );
  });
});
