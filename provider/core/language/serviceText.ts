import { createHash } from "node:crypto";
import { formatJson, type Json } from "../value/json";
import { metadataOf, type ParsedText, withMetadata } from "../value/programInputs";
import { asKnown, type Inputs, isKnown } from "../value/unknown";
import type { Address, Values } from "./object";
import type { RequestContext } from "./stepInput";

/**
 * Program text that only its service can parse (a job's own language). The service parses a text once: Quarterdeck stores
 * the result with the inputs and in the records, and does not send the same text again.
 */
export interface ServiceText {
  /** The property with the text: another form of a document. */
  readonly property: string;
  /** Further inputs that affect the result of the parse. */
  readonly with: readonly string[];
  /** The content of a text that needs no service to parse it (a document in plain form); undefined for every other text. */
  plain(text: string): Json | undefined;
  /**
   * Sends the text to the service and returns the parsed document.
   * @throws ServiceError if the service rejects the text, or if the server cannot be reached.
   */
  read(context: RequestContext, inputs: Values, address: Address): Promise<Json>;
}

/** The content of these inputs' text: parsed locally if possible, else the service's parse result stored with the inputs. */
export function parsedTextOf(text: ServiceText, inputs: Inputs): Json | undefined {
  const written = inputs[text.property];
  if (typeof written !== "string") return undefined;
  const { parsedText } = metadataOf(inputs);
  const isStored = parsedText !== undefined && parsedText.of === fingerprintOf(text, inputs);
  return text.plain(written) ?? (isStored ? parsedText.says : undefined);
}

/** Stores the service's parse result with these inputs, if it is already known, and removes a result for other text. */
export function withReadingAlong<I extends Inputs>(
  text: ServiceText,
  inputs: I,
  earlier: (fingerprint: string) => ParsedText | undefined,
): I {
  const of = fingerprintOf(text, inputs);
  if (of === metadataOf(inputs).parsedText?.of) return inputs;
  return withMetadata(inputs, { parsedText: of === undefined ? undefined : earlier(of) });
}

/** Stores a new parse result with these inputs. */
export function withReading<I extends Inputs>(text: ServiceText, inputs: I, says: Json): I {
  const of = fingerprintOf(text, inputs);
  return of === undefined ? inputs : withMetadata(inputs, { parsedText: { of, says } });
}

/**
 * The fingerprint of these inputs' text and of the inputs that affect its parse result; undefined without text, or if parts
 * are unknown.
 */
export function fingerprintOf({ property, with: others }: ServiceText, inputs: Inputs): string | undefined {
  const isComplete = others.every((name) => inputs[name] === undefined || isKnown(inputs[name]));
  if (typeof inputs[property] !== "string" || !isComplete) return undefined;
  const parts = [property, ...others].map((name) => asKnown(inputs[name] ?? null));
  return createHash("sha256").update(formatJson(parts)).digest("hex");
}
