import type { Json } from "../json";
import { type Inputs, UNKNOWN, type Value } from "../unknown";

/** How the engine marks an unknown value in what it hands to a dynamic provider. */
const ENGINE_UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The property that carries the provider's own text; the host puts it back itself, except on errors. */
export const PROVIDER = "__provider";

/** A bag of properties as the engine hands it over, without the provider's own text, unknown values marked as ours. */
export function fromEngine(bag: Readonly<Record<string, unknown>> | undefined): Inputs {
  const { [PROVIDER]: _, ...own } = bag ?? {};
  // The engine hands over JSON with its marker for unknown values; nothing else can be in it.
  return valueFromEngine(own) as Inputs;
}

function valueFromEngine(value: unknown): Value {
  if (value === ENGINE_UNKNOWN) return UNKNOWN;
  if (Array.isArray(value)) return value.map(valueFromEngine);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, part]) =>
        part === undefined ? [] : [[name, valueFromEngine(part)]],
      ),
    );
  }
  return value as Json;
}

/** Values as the engine takes them: nothing undefined, which it would refuse. */
export function toEngine(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return valueToEngine(values) as Record<string, unknown>;
}

function valueToEngine(value: unknown): unknown {
  if (value === UNKNOWN) return ENGINE_UNKNOWN;
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map((part) => (part === undefined ? null : valueToEngine(part)));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, part]) =>
        part === undefined ? [] : [[name, valueToEngine(part)]],
      ),
    );
  }
  return value;
}
