import fc from "fast-check";
import type { Crypter } from "../../../engine/backend/passphrase";
import { replaceSecrets, Vault } from "../../../engine/backend/vault";
import { type PropertyMap, type PropertyValue, Secret, UNKNOWN } from "../../../engine/state/values";

/** Returns a different ciphertext each time, as the real one does. */
function countingCrypter(): Crypter & { readonly encrypted: number } {
  let encrypted = 0;
  return {
    get encrypted() {
      return encrypted;
    },
    encrypt: (plaintext) => `${encrypted++}:${Buffer.from(plaintext).toString("hex")}`,
    decrypt: (ciphertext) => Buffer.from(ciphertext.split(":")[1] ?? "", "hex").toString(),
  };
}

const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !/^(__proto__|4dabf.*)$/.test(text));

const { value: anyValue } = fc.letrec<{ value: PropertyValue; plain: PropertyValue }>((tie) => ({
  plain: fc.oneof(
    { depthSize: "small" },
    fc.string(),
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
    fc.constant(UNKNOWN),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
  value: fc.oneof(
    tie("plain"),
    tie("plain").map((content) => new Secret(content)),
  ),
}));

const anyMap = fc.dictionary(name, anyValue, { noNullPrototype: true });

test("any properties are read back as they were written", () => {
  fc.assert(
    fc.property(anyMap, (values: PropertyMap) => {
      const vault = new Vault(countingCrypter());
      expect(vault.read(vault.write(values, "a"), "a")).toEqual(values);
    }),
  );
});

test("values that were read or written before are written with their old ciphertexts", () => {
  fc.assert(
    fc.property(anyMap, (values: PropertyMap) => {
      const written = new Vault(countingCrypter()).write(values, "a");
      const crypter = countingCrypter();
      const vault = new Vault(crypter);
      const read = vault.read(written, "a");
      expect(vault.write(read, "a")).toEqual(written);
      expect(vault.write(read, "a")).toEqual(written);
      expect(crypter.encrypted).toBe(0);
    }),
  );
});

test("a changed secret gets a new ciphertext, and an unchanged one keeps its old ciphertext", () => {
  const vault = new Vault(countingCrypter());
  const before = vault.write({ unchanged: new Secret("k"), changed: new Secret("old") }, "a");
  const after = vault.write({ unchanged: new Secret("k"), changed: new Secret("new") }, "a");
  expect(after.unchanged).toEqual(before.unchanged);
  expect(after.changed).not.toEqual(before.changed);
});

test("equal secrets in different places have different ciphertexts", () => {
  const vault = new Vault(countingCrypter());
  const { left, right } = vault.write({ left: new Secret("same"), right: new Secret("same") }, "a");
  expect(left).not.toEqual(right);
});

test("no secret is written in plaintext at any depth", () => {
  fc.assert(
    fc.property(anyMap, (values: PropertyMap) => {
      const canary = { ...values, deep: [{ secret: new Secret({ inner: "canary-in-clear" }) }] };
      expect(JSON.stringify(new Vault(countingCrypter()).write(canary, "a"))).not.toContain(
        "canary-in-clear",
      );
    }),
  );
});

test("replaceSecrets replaces every encrypted secret and no other value", () => {
  const written = new Vault(countingCrypter()).write({ a: [new Secret(1), { b: new Secret(2) }], c: 3 }, "x");
  expect(replaceSecrets(written, () => "[secret]")).toEqual({ a: ["[secret]", { b: "[secret]" }], c: 3 });
});
