import { createHash } from "node:crypto";
import type { ServiceText } from "../language/serviceText";
import { formatJson, isObject, type Json } from "../value/json";
import { type Inputs, isKnown } from "../value/unknown";

/** Whether these inputs hold text that only the service can read, all of it known. */
export function holdsText({ property, with: others }: ServiceText, inputs: Inputs): boolean {
  return (
    typeof inputs[property] === "string" &&
    others.every((name) => inputs[name] === undefined || isKnown(inputs[name]))
  );
}

/** What the text of these inputs says: by itself, or as the service read it where they keep that. */
export function readingOf(text: ServiceText, inputs: Inputs): Json | undefined {
  const written = inputs[text.property];
  if (typeof written !== "string") return undefined;
  return text.plain(written) ?? keptReading(text, inputs);
}

function keptReading(text: ServiceText, inputs: Inputs): Json | undefined {
  const kept = inputs[text.keptIn];
  if (!isKnown(kept) || !isObject(kept) || !holdsText(text, inputs)) return undefined;
  return kept.of === fingerprint(text, inputs) ? kept.says : undefined;
}

/**
 * These inputs with what the service read in their text, as far as any of the earlier ones keeps it; a reading of
 * other text is left out.
 */
export function withKeptReading(text: ServiceText, inputs: Inputs, earlier: readonly Inputs[]): Inputs {
  const own: Inputs = Object.fromEntries(Object.entries(inputs).filter(([name]) => name !== text.keptIn));
  for (const { [text.keptIn]: kept } of [inputs, ...earlier]) {
    if (kept === undefined) continue;
    const candidate: Inputs = { ...own, [text.keptIn]: kept };
    if (keptReading(text, candidate) !== undefined) return candidate;
  }
  return own;
}

/** These inputs with a new reading. */
export function withReading(text: ServiceText, inputs: Inputs, says: Json): Inputs {
  return { ...inputs, [text.keptIn]: { of: fingerprint(text, inputs), says } };
}

/** Which text, and which circumstances, a reading is of. */
function fingerprint({ property, with: others }: ServiceText, inputs: Inputs): string {
  // `holdsText` has made sure that all of these are known.
  const parts = [property, ...others].map((name) => (inputs[name] ?? null) as Json);
  return createHash("sha256").update(formatJson(parts)).digest("hex");
}
