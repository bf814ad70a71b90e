import { createHash } from "node:crypto";
import type { ServiceText } from "../language/stepInput";
import { asideOf, type Reading, withAside } from "../value/aside";
import { formatJson, type Json } from "../value/json";
import { type Inputs, isKnown, known } from "../value/unknown";

/** Whether these inputs hold text that only the service can read, all of it known. */
export function holdsText({ property, with: others }: ServiceText, inputs: Inputs): boolean {
  return (
    typeof inputs[property] === "string" &&
    others.every((name) => inputs[name] === undefined || isKnown(inputs[name]))
  );
}

/** What the text of these inputs says: by itself, or as the service read it where that goes along. */
export function readingOf(text: ServiceText, inputs: Inputs): Json | undefined {
  const written = inputs[text.property];
  if (typeof written !== "string") return undefined;
  return text.plain(written) ?? readingAlong(text, inputs);
}

function readingAlong(text: ServiceText, inputs: Inputs): Json | undefined {
  const { reading } = asideOf(inputs);
  if (reading === undefined || !holdsText(text, inputs)) return undefined;
  return reading.of === fingerprint(text, inputs) ? reading.says : undefined;
}

/**
 * These inputs with what the service read in their text, as far as it is known already; a reading of other text is left
 * out.
 */
export function withReadingAlong<I extends Inputs>(
  text: ServiceText,
  inputs: I,
  earlier: (fingerprint: string) => Reading | undefined,
): I {
  const { reading, ...aside } = asideOf(inputs);
  const of = fingerprintOf(text, inputs);
  if (of === undefined) return reading === undefined ? inputs : withAside(inputs, aside);
  if (reading?.of === of) return inputs;
  const found = earlier(of);
  return withAside(inputs, { ...aside, ...(found && { reading: found }) });
}

/** These inputs with a new reading. */
export function withReading<I extends Inputs>(text: ServiceText, inputs: I, says: Json): I {
  return withAside(inputs, { ...asideOf(inputs), reading: { of: fingerprint(text, inputs), says } });
}

/** The fingerprint of these inputs' text and of what it is read with; undefined where there is none, or parts are unknown. */
export function fingerprintOf(text: ServiceText, inputs: Inputs): string | undefined {
  return holdsText(text, inputs) ? fingerprint(text, inputs) : undefined;
}

function fingerprint({ property, with: others }: ServiceText, inputs: Inputs): string {
  const parts = [property, ...others].map((name) => known(inputs[name] ?? null));
  return createHash("sha256").update(formatJson(parts)).digest("hex");
}
