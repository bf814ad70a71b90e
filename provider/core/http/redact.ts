const MASK = "[secret]";
const SHORTEST = 4;

/**
 * Masks given secrets in text, also as JSON, URLs and base64 spell them, and the userinfo of every URL.
 * A secret shorter than four characters is left alone: masking it would tear ordinary words, and say what it is.
 */
export class Redactor {
  readonly #pattern: RegExp | undefined;

  constructor(secrets: Iterable<string>) {
    const spellings = new Set(
      [...secrets].filter((secret) => secret.length >= SHORTEST).flatMap(spellingsOf),
    );
    // The longest first, so that of two that begin alike none is masked by half.
    const ordered = [...spellings].sort((a, b) => b.length - a.length);
    this.#pattern = ordered.length === 0 ? undefined : new RegExp(ordered.map(escaped).join("|"), "g");
  }

  /** The text with every secret replaced by `[secret]`. */
  mask(text: string): string {
    const masked = this.#pattern === undefined ? text : text.replace(this.#pattern, MASK);
    return masked.replace(USERINFO, `$1${MASK}@`);
  }
}

const USERINFO = /\b([a-z][a-z\d+.-]*:\/\/)[^/?#\s"'<>]*@/gi;

/** Whether a header's value is a secret by its name. */
export function isSecretHeader(name: string): boolean {
  return /auth|token|cookie|secret|password|passwd|credential|api-?key|session/i.test(name);
}

/** The secrets in a header's value: all of it, and what follows a scheme such as Bearer. */
export function headerSecrets(value: string): string[] {
  const credentials = /^[A-Za-z][\w-]*\s+(\S.*)$/.exec(value)?.[1];
  return credentials === undefined ? [value] : [value, credentials];
}

function spellingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  const spellings = [
    secret,
    json,
    // Go's encoder, and those that escape for HTML.
    json.replace(/[<>&\u2028\u2029]/g, unicodeEscape),
    json.replaceAll("/", "\\/"),
    // Twice: JSON text within JSON.
    JSON.stringify(json).slice(1, -1),
    json.replace(/[^\x20-\x7e]/g, unicodeEscape),
    url,
    encodeURI(secret.toWellFormed()),
    form,
    ...base64Spellings(Buffer.from(secret)),
  ];
  return [
    ...spellings,
    ...[url, form].map((text) => text.replace(/%[\dA-F]{2}/g, (hex) => hex.toLowerCase())),
  ];
}

/** Base64 of the secret alone, and what stays the same of it wherever in a longer value it stands. */
function base64Spellings(secret: Buffer): string[] {
  const inner = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), secret]).toString("base64");
    const end = Math.floor(((before + secret.length) * 8) / 6);
    return text.slice(Math.ceil((before * 8) / 6), end);
  });
  return [secret.toString("base64"), ...inner.filter((text) => text.length >= 2 * SHORTEST)].flatMap(
    (text) => [text, text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")],
  );
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
