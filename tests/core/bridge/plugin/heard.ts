import type { AnyDefinition } from "../../../../provider/core/language/resource";
import { runsOf } from "../../../redact/readable";
import { SPELLINGS } from "../../../redact/spellings";
import type { World } from "../../../steps/world";
import { hostOf } from "../host";
import type { ProviderCalls } from "./calls";
import { callsIn } from "./inProcess";

/** By what an engine knows what is secret. */
export const MARK = "4dabf18193072939515e22adb298388d";

/** The calls of one definition at one service, until they are cancelled. */
export function callsOf(
  definition: AnyDefinition,
  world: World,
  signal: AbortSignal = new AbortController().signal,
): ProviderCalls {
  return callsIn(definition, { host: hostOf(() => world.connection, world.logged), signal });
}

/** All of an answer, or of a refusal, that its engine shows, or keeps, in plain. */
export function plainOf(answer: unknown): string {
  const text = JSON.stringify(answer, (_, value) =>
    value !== null && typeof value === "object" && MARK in value ? "[secret]" : value,
  );
  return answer instanceof Error ? `${answer.message}\n${answer.stack}\n${text}` : (text ?? "");
}

/** What shows of a secret in a text: as it is, and in the spellings in which nobody would know it again. */
export function shownOf(canary: string, text: string): string[] {
  const spelled = ENCODINGS.map((name) => SPELLINGS[name]?.(canary) ?? canary)
    // What stands beside it moves the first and the last signs of it.
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
