import type { AnyDefinition } from "../../../../provider/core/language/resource";
import { runsOf } from "../../../redact/readable";
import { SPELLINGS } from "../../../redact/spellings";
import type { World } from "../../../steps/world";
import { hostOf } from "../host";
import type { ProviderCalls } from "./calls";
import { callsIn } from "./inProcess";

/** The key by which an engine recognizes a secret value. */
export const MARK = "4dabf18193072939515e22adb298388d";

/** The calls of one definition on one server, until they are canceled. */
export function callsOf(
  definition: AnyDefinition,
  world: World,
  signal: AbortSignal = new AbortController().signal,
): ProviderCalls {
  return callsIn(definition, { host: hostOf(() => world.connection, world.logged), signal });
}

/** Everything of an answer or an error that an engine prints or stores in plain text. */
export function plainOf(answer: unknown): string {
  const text = JSON.stringify(answer, (_, value) =>
    value !== null && typeof value === "object" && MARK in value ? "[secret]" : value,
  );
  return answer instanceof Error ? `${answer.message}\n${answer.stack}\n${text}` : (text ?? "");
}

/** The fragments of a secret that a text contains, in plain text and in every encoding. */
export function shownOf(canary: string, text: string): string[] {
  const spelled = ENCODINGS.map((name) => SPELLINGS[name]?.(canary) ?? canary)
    // The text around a secret changes the first and last characters of its encoded form.
    .map((spelling) => spelling.slice(4, -4))
    .filter((spelling) => text.includes(spelling));
  return [...runsOf(canary, text), ...spelled];
}

const ENCODINGS = [
  "base64",
  "base64 for URLs",
  "base64 after one byte",
  "base64 after two bytes",
  "hexadecimal",
  "hexadecimal in upper case",
  "JSON text with only escapes",
  "only percent escapes",
  "decimal HTML entities",
];
