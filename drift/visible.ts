/**
 * Control characters, which steer a terminal (line breaks and tabs excepted), and the marks that reverse a text's direction,
 * which make it look like another text.
 */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text for a terminal or a page, with each such character written as its escape: `\u001b`. */
export function visible(text: string): string {
  return text.replace(STEERING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** A value with every string in it made visible. */
export function visibleIn<Value>(value: Value): Value {
  return changed(value) as Value;
}

function changed(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(changed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changed(member)]));
}
