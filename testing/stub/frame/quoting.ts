/** The ways in which a service may spell a request's values in its errors. */
export const QUOTINGS = [
  "plain",
  "json",
  "percent",
  "html",
  "base64",
  "base64Lines",
  "hex",
  "oneLine",
  "escapes",
] as const;
export type Quoting = (typeof QUOTINGS)[number];

/** Returns all strings in a request's body as an error quotes them; the spellings apply one after the other. */
export function quoteStrings(body: Buffer, spellings: readonly Quoting[]): string {
  const texts = textsIn(parseJsonText(body.toString("utf8")));
  return texts.map((text) => spellings.reduce((inner, spelling) => SPELL[spelling](inner), text)).join("; ");
}

const SPELL: Readonly<Record<Quoting, (text: string) => string>> = {
  plain: (text) => text,
  json: (text) => JSON.stringify(text),
  percent: (text) => encodeURIComponent(text.toWellFormed()),
  html: (text) => text.replace(/[^a-zA-Z0-9 ]/gu, (sign) => `&#${sign.codePointAt(0)};`),
  base64: (text) => Buffer.from(text).toString("base64"),
  base64Lines: (text) =>
    Buffer.from(`: ${text}`)
      .toString("base64")
      .replace(/.{64}/g, (line) => `${line}\n`),
  hex: (text) => Buffer.from(text).toString("hex").toUpperCase(),
  oneLine: (text) => text.replace(/\s+/g, " "),
  escapes: (text) =>
    Array.from(
      { length: text.length },
      (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
};

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
