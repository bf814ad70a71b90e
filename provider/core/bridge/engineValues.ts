import { isObject, type Json } from "../value/json";
import type { Path } from "../value/path";
import {
  metadataFromJson,
  metadataOf,
  metadataToJson,
  type ProgramInputs,
  withMetadata,
} from "../value/programInputs";
import { type Inputs, UNKNOWN, type Value } from "../value/unknown";

/** Properties by name, in the form in which an engine sends them. */
export type Bag = Readonly<Record<string, unknown>>;

/** The engine's marker for an unknown value. */
export const ENGINE_UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The markers for an unknown value whose type the engine already knows: a boolean, a number, a list, an object. */
const UNKNOWNS = new Set([
  ENGINE_UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** The property that contains the provider's own text. The host restores this property itself, except on errors. */
export const PROVIDER = "__provider";

/**
 * Converts the engine's properties: removes the provider's own text, converts unknown values, and restores the additional
 * data of the inputs.
 */
export function fromEngine(bag: Bag | undefined): ProgramInputs {
  const { [PROVIDER]: _, ...own } = bag ?? {};
  // The engine sends only JSON and its marker for unknown values.
  const { [ASIDE_PROPERTY]: handed, ...values } = valueFromEngine(own) as Inputs;
  return withMetadata(values, { ...metadataFromJson(handed), parsedText: undefined });
}

function valueFromEngine(value: unknown): Value {
  if (typeof value === "string" && UNKNOWNS.has(value)) return UNKNOWN;
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

/** The engine distinguishes a secret value from a plain object by this key with this value. */
export const MARK = "4dabf18193072939515e22adb298388d";

export const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/**
 * Converts values for the engine: removes undefined, which the engine would reject, and marks the values that `isSecret`
 * selects. The state then encrypts secrets that others wrote as it does the program's own.
 */
export function toEngine(
  values: object,
  isSecret: IsSecret = () => false,
  path: Path = [],
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, part]) =>
      part === undefined ? [] : [[name, valueToEngine(part, [...path, name], isSecret)]],
    ),
  );
}

/** A test for the values that the engine must encrypt. */
export type IsSecret = (path: Path, value: unknown) => boolean;

function valueToEngine(value: unknown, path: Path, isSecret: IsSecret): unknown {
  if (value === UNKNOWN) return ENGINE_UNKNOWN;
  if (value === null) return null;
  if (isSecret(path, value)) return { [MARK]: SECRET, value: valueToEngine(value, [], () => false) };
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) {
    return value.map((part, index) =>
      part === undefined ? null : valueToEngine(part, [...path, index], isSecret),
    );
  }
  return typeof value === "object" ? toEngine(value, isSecret, path) : value;
}

/**
 * The one property that carries additional data to a dynamic provider: the SDK's paths of secrets and of ignored changes,
 * and the preview flag. In the inputs of a state, it also identifies the text that the service has parsed, on either bridge.
 * Only the bridges see this property.
 */
export const ASIDE_PROPERTY = "__aside";

/** Inputs with their additional data in the property. */
export function withAsideProperty(inputs: Inputs, read = metadataOf(inputs).parsedText?.of): Inputs {
  const { reading: _, sources: __, ...handed } = metadataToJson(inputs);
  const along = { ...handed, ...(read !== undefined && { read }) };
  return Object.keys(along).length === 0 ? inputs : { ...inputs, [ASIDE_PROPERTY]: along };
}

/** The properties without the additional data. */
export function withoutAside({ [ASIDE_PROPERTY]: _, ...values }: Bag): Bag {
  return values;
}

/**
 * True if a program declares that it is in a preview. The response to a check leaves this out, so that no plan and no state
 * contains it.
 */
export function isPreviewed({ [ASIDE_PROPERTY]: handed }: Bag): boolean {
  return isObject(handed) && handed.preview === true;
}

/** The fingerprint of the text that these inputs declare as parsed. */
export function textRead(bag: Bag = {}): string | undefined {
  const { [ASIDE_PROPERTY]: handed } = bag;
  const { read } = isObject(handed) ? handed : {};
  return typeof read === "string" ? read : undefined;
}
