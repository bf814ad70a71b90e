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

test("decrypts ciphertexts of the CLI with the same passphrase", async () => {
  const { crypter } = await openProvider(settings.encryptionsalt, PASSPHRASE);
  expect(crypter.decrypt(settings.config["harbour:token"].secure)).toBe(SECRETS.token);
  expect(crypter.decrypt(settings.config["harbour:nested"].password.secure)).toBe(SECRETS.password);
});

test("rejects a wrong passphrase with the CLI's message", async () => {
  await expect(openProvider(settings.encryptionsalt, "another")).rejects.toThrow(/^incorrect passphrase$/);
});

test("rejects a salt of an unknown version", async () => {
  await expect(openProvider("v2:AAAA:v1:BBBB:CCCC", PASSPHRASE)).rejects.toThrow("unknown state version");
});

test("opens a new provider with its passphrase, and rejects a different one", async () => {
  const { salt, crypter } = await createProvider("one");
  const again = await openProvider(salt, "one");
  expect(again.crypter.decrypt(crypter.encrypt("text"))).toBe("text");
  await expect(openProvider(salt, "two")).rejects.toThrow("incorrect passphrase");
});

test("two providers with the same passphrase have different salts", async () => {
  const [left, right] = await Promise.all([createProvider("same"), createProvider("same")]);
  expect(left.salt).not.toBe(right.salt);
});

test("any string is decrypted to itself, and encrypted to a different ciphertext each time", async () => {
  const { crypter } = await createProvider("p");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const ciphertext = crypter.encrypt(text);
      expect(crypter.decrypt(ciphertext)).toBe(text);
      expect(crypter.encrypt(text)).not.toBe(ciphertext);
    }),
  );
});

test("rejects a ciphertext if any byte of it was changed", async () => {
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

describe("readPassphrase", () => {
  test("returns PULUMI_CONFIG_PASSPHRASE even if it is empty", () => {
    expect(readPassphrase({ PULUMI_CONFIG_PASSPHRASE: "" }, ".")).toBe("");
  });

  test("returns the trimmed content of PULUMI_CONFIG_PASSPHRASE_FILE", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "phrase"), "  from a file\n");
    expect(readPassphrase({ PULUMI_CONFIG_PASSPHRASE_FILE: "phrase" }, folder)).toBe("from a file");
  });

  test("throws the CLI's message if neither variable is set", () => {
    expect(() => readPassphrase({}, ".")).toThrow(
      "passphrase must be set with PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE environment variables",
    );
  });
});
