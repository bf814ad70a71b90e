/**
 * Control characters that affect a terminal (except line breaks and tabs), and bidirectional marks, which make a text look
 * like a different one.
 */
const STEERING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Escapes each such character for a terminal or a page: `\u001b`. */
export function visible(text: string): string {
  return text.replace(STEERING, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Escapes these characters in every string of a value. */
export function visibleIn<Value>(value: Value): Value {
  return visibleValue(value) as Value;
}

function visibleValue(value: unknown): unknown {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(visibleValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visibleValue(member)]));
}
