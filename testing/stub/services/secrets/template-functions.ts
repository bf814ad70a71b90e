import { createHash } from "node:crypto";
import type { Randomness } from "./randomness";

/** An invalid template, or one with an unknown field or function. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** An operand's value; a buffer is text in an encoding other than UTF-8 (`utf16le`). */
export type TemplateValue = string | number | Buffer;

/** The values that a template can refer to. */
export interface TemplateContext {
  readonly fields: Readonly<Record<string, string | number>>;
  readonly randomness: Randomness;
  readonly now: number;
  /** `utf16le` is available in LDIF templates only. */
  readonly isLdif: boolean;
}

/** Evaluates a function of the section "Templates"; the piped argument is the last one. */
export function evaluate(
  name: string,
  given: readonly TemplateValue[],
  context: TemplateContext,
): TemplateValue {
  const text = String(given.at(-1) ?? "");
  const last = given.at(-1);
  const count = () => {
    const number = given[0];
    if (typeof number !== "number" || number < 0) throw new TemplateError(`template: ${name} needs a number`);
    return number;
  };
  switch (name) {
    case "random":
      return context.randomness.text(count());
    case "truncate":
      return text.slice(0, count());
    case "truncate_sha256":
      return truncateSha256(count(), text);
    case "uppercase":
      return text.toUpperCase();
    case "lowercase":
      return text.toLowerCase();
    case "replace":
      return text.replaceAll(String(given[0] ?? ""), String(given[1] ?? ""));
    case "sha256":
      return sha256(text);
    case "base64":
      return (Buffer.isBuffer(last) ? last : Buffer.from(text, "utf8")).toString("base64");
    case "unix_time":
      return Math.trunc(context.now / 1000);
    case "unix_time_millis":
      return context.now;
    case "timestamp":
      return formatTime(text, new Date(context.now));
    case "uuid":
      return context.randomness.uuid();
    case "printf":
      return format(String(given[0] ?? ""), given.slice(1));
    case "utf16le":
      if (context.isLdif) return Buffer.from(text, "utf16le");
      break;
  }
  throw new TemplateError(`template: function "${name}" not defined`);
}

/** "The last 8 characters are the first 8 of the SHA-256 of the truncated value." */
function truncateSha256(length: number, text: string): string {
  if (length <= 8) throw new TemplateError("template: truncate_sha256 needs a number above 8");
  if (text.length <= length) return text;
  return text.slice(0, length - 8) + sha256(text.slice(length - 8)).slice(0, 8);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function format(pattern: string, values: readonly TemplateValue[]): string {
  const remaining = [...values];
  return pattern.replace(/%([sdvq%])/g, (_match, verb: string) => {
    if (verb === "%") return "%";
    const value = String(remaining.shift() ?? `%!${verb}(MISSING)`);
    return verb === "q" ? JSON.stringify(value) : value;
  });
}

/** A layout is the reference time 2006-01-02 15:04:05, in UTC. */
function formatTime(layout: string, time: Date): string {
  const iso = time.toISOString();
  const parts: Readonly<Record<string, string>> = {
    "2006": iso.slice(0, 4),
    "01": iso.slice(5, 7),
    "02": iso.slice(8, 10),
    "15": iso.slice(11, 13),
    "04": iso.slice(14, 16),
    "05": iso.slice(17, 19),
    "000": iso.slice(20, 23),
    "Z07:00": "Z",
    MST: "UTC",
  };
  return layout.replace(/2006|Z07:00|MST|000|01|02|15|04|05/g, (part) => parts[part] ?? part);
}
