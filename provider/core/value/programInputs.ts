import { type SecretSource, sourceIn } from "./fingerprint";
import { isObject, type Json } from "./json";
import { formatPath, isWithinPath, type Path } from "./path";
import type { Inputs } from "./unknown";

/** The server's parse result of a text, and the fingerprint of that text. */
export interface ParsedText {
  /** The fingerprint of the text, and of the other inputs that affect its parse result. */
  readonly of: string;
  readonly says: Json;
}

/** Metadata that a program passes along with its inputs, and the results of a check of these inputs. */
export interface InputMetadata {
  /** The paths that the program marked as secret. */
  readonly secretPaths: readonly string[];
  /** The paths in the option `ignoreChanges`. */
  readonly ignoredPaths: readonly string[];
  /** The server's parse result of the text in these inputs. */
  readonly parsedText?: ParsedText | undefined;
  /** The sources of the secrets that the program does not write, by the paths of their fingerprints. */
  readonly secretSources: Readonly<Record<string, SecretSource>>;
}

const NONE: InputMetadata = { secretPaths: [], ignoredPaths: [], secretSources: {} };

/**
 * The key of the metadata in inputs. It is a symbol, so that every copy of the inputs has it and nothing checks, compares,
 * sends or shows it. The records store it next to the applied inputs.
 */
const METADATA: unique symbol = Symbol("metadata");

/** Values with metadata: what `withMetadata` returns, and its copies. A copy that lost the metadata is not of this type. */
export type WithMetadata = { readonly [METADATA]: InputMetadata | undefined };

/** A program's inputs: values by property name, and their metadata. */
export type ProgramInputs = Inputs & WithMetadata;

/** The metadata of these inputs. */
export function metadataOf(inputs: object): InputMetadata {
  return (inputs as Partial<WithMetadata>)[METADATA] ?? NONE;
}

/** These inputs with other metadata. Members that are not given stay as they are. */
export function withMetadata<I extends object>(inputs: I, changed: Partial<InputMetadata>): I & WithMetadata {
  const metadata = { ...metadataOf(inputs), ...changed };
  const { [METADATA]: _, ...plain } = inputs as I & Partial<WithMetadata>;
  // The result has every property of the inputs. Empty metadata has no member, because equal inputs are equal objects.
  return (isEmptyMetadata(metadata) ? plain : { ...plain, [METADATA]: metadata }) as I & WithMetadata;
}

/** No inputs. */
export const NO_INPUTS = withMetadata({}, {});

function isEmptyMetadata({ secretPaths, ignoredPaths, parsedText, secretSources }: InputMetadata): boolean {
  const hasPaths = secretPaths.length > 0 || ignoredPaths.length > 0;
  return !hasPaths && parsedText === undefined && Object.keys(secretSources).length === 0;
}

/** True if these inputs have metadata. */
export function hasMetadata(inputs: object): boolean {
  return metadataOf(inputs) !== NONE;
}

/** True if the program marked the value at a path as secret, or one of its parents. */
export function isMarked(inputs: object, path: Path): boolean {
  const { secretPaths } = metadataOf(inputs);
  // Most programs mark nothing, and a document may have many paths.
  if (secretPaths.length === 0) return false;
  const text = formatPath(path);
  return secretPaths.some((marked) => isWithinPath(text, marked));
}

/** The properties of some inputs that pass a test, with the metadata of the inputs. */
export function selectInputs<V>(
  inputs: Readonly<Record<string, V>>,
  passes: (name: string, value: V) => boolean,
): Readonly<Record<string, V>> & WithMetadata {
  const own = Object.fromEntries(Object.entries(inputs).filter(([name, value]) => passes(name, value)));
  return withMetadata(own, metadataOf(inputs));
}

/** The metadata as JSON, for the records and the bridges. Leaves out empty members. */
export function metadataToJson(inputs: object): { readonly [member: string]: Json } {
  const { secretPaths, ignoredPaths, parsedText, secretSources } = metadataOf(inputs);
  return {
    ...(secretPaths.length > 0 && { secrets: [...secretPaths] }),
    ...(ignoredPaths.length > 0 && { ignored: [...ignoredPaths] }),
    ...(parsedText && { reading: { ...parsedText } }),
    ...(Object.keys(secretSources).length > 0 && { sources: { ...secretSources } }),
  };
}

/** Reads metadata from JSON: from the records, or from the bridge's property. */
export function metadataFromJson(json: unknown): InputMetadata {
  const { secrets, ignored, reading, sources } = isObject(json) ? json : {};
  const named = Object.entries(isObject(sources) ? sources : {}).flatMap(([path, written]) => {
    const source = sourceIn(written);
    return source === undefined ? [] : [[path, source] as const];
  });
  return {
    secretPaths: pathsIn(secrets),
    ignoredPaths: pathsIn(ignored),
    ...(isObject(reading) &&
      typeof reading.of === "string" &&
      reading.says !== undefined && { parsedText: { of: reading.of, says: reading.says } }),
    secretSources: Object.fromEntries(named),
  };
}

function pathsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((path) => typeof path === "string") : [];
}
