import { isJsonList, isJsonMap, type Json, type JsonMap } from "../json";
import { SECRET_SIGNATURE, SIGNATURE, UNKNOWN_ON_THE_WIRE } from "../state/signatures";
import { isList, isMap, type PropertyMap, type PropertyValue, Secret, UNKNOWN } from "../state/values";
import type { Crypter } from "./passphrase";

/**
 * Encrypts the secrets in properties for the checkpoint, and decrypts them. A secret that has not changed at its place keeps
 * its ciphertext: encryption is salted, and a state in which every secret differs after every update could not be compared
 * with its predecessor.
 */
export class Vault {
  readonly #crypter: Crypter;
  readonly #known = new Map<string, { readonly plaintext: string; readonly ciphertext: string }>();

  constructor(crypter: Crypter) {
    this.#crypter = crypter;
  }

  write(values: PropertyMap, place: string): JsonMap {
    return Object.fromEntries(
      Object.keys(values)
        .sort()
        .map((key) => [key, this.#write(values[key] ?? null, `${place}\n${key}`)]),
    );
  }

  read(values: JsonMap, place: string, isInside = false): PropertyMap {
    return Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, this.#read(value, `${place}\n${key}`, isInside)]),
    );
  }

  #write(value: PropertyValue, place: string): Json {
    if (value === UNKNOWN) return UNKNOWN_ON_THE_WIRE;
    if (value instanceof Secret) return secretObject({ ciphertext: this.#encrypt(value.value, place) });
    if (isList(value)) return value.map((element, index) => this.#write(element, `${place}\n${index}`));
    return isMap(value) ? this.write(value, place) : value;
  }

  #read(value: Json, place: string, isInside = false): PropertyValue {
    if (value === UNKNOWN_ON_THE_WIRE) return UNKNOWN;
    if (isJsonList(value))
      return value.map((element, index) => this.#read(element, `${place}\n${index}`, isInside));
    if (!isJsonMap(value)) return value;
    const { ciphertext } = value;
    if (value[SIGNATURE] !== SECRET_SIGNATURE || !(isInside || typeof ciphertext === "string"))
      return this.read(value, place, isInside);
    if (isInside) return new Secret(this.#read(JSON.parse(innerText(value, this.#crypter)), place, true));
    const content = this.#read(JSON.parse(this.#crypter.decrypt(String(ciphertext))), place, true);
    this.#known.set(place, { plaintext: this.#plaintext(content, place), ciphertext: String(ciphertext) });
    return new Secret(content);
  }

  #encrypt(content: PropertyValue, place: string): string {
    const plaintext = this.#plaintext(content, place);
    const known = this.#known.get(place);
    if (known?.plaintext === plaintext) return known.ciphertext;
    const ciphertext = this.#crypter.encrypt(plaintext);
    this.#known.set(place, { plaintext, ciphertext });
    return ciphertext;
  }

  /**
   * A secret inside a secret keeps its mark, and its text is plain, because the outer secret encrypts it. A secret that only
   * contains another secret is merged with it.
   */
  #plaintext(content: PropertyValue, place: string): string {
    const plain = new Vault({ encrypt: (text) => text, decrypt: (text) => text });
    const inner = content instanceof Secret ? content.value : content;
    return JSON.stringify(plain.#write(inner, place));
  }
}

/** The text of an inner secret; in older files it is encrypted separately. */
function innerText({ plaintext, ciphertext }: JsonMap, crypter: Crypter): string {
  const text = String(plaintext ?? ciphertext);
  return text.startsWith("v1:") ? crypter.decrypt(text) : text;
}

/** The text of a secret, with its inner secrets in plain text. */
export function shownText(text: string, crypter: Crypter): string {
  const inner: Json = JSON.parse(text);
  const shown = replaceSecrets(inner, (secret) =>
    secretObject({ plaintext: shownText(innerText(secret, crypter), crypter) }),
  );
  return JSON.stringify(shown);
}

/** A secret in files and responses, with encrypted, plain or hidden content. */
export function secretObject(content: { ciphertext: string } | { plaintext: string }): JsonMap {
  return { [SIGNATURE]: SECRET_SIGNATURE, ...content };
}

/** Replaces every secret in a JSON value, at any depth. */
export function replaceSecrets(value: Json, replace: (secret: JsonMap) => Json): Json {
  if (isJsonList(value)) return value.map((element) => replaceSecrets(element, replace));
  if (!isJsonMap(value)) return value;
  if (value[SIGNATURE] === SECRET_SIGNATURE) return replace(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaceSecrets(inner, replace)]),
  );
}
