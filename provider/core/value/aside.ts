import { type SecretSource, sourceIn } from "./fingerprint";
import { isObject, type Json } from "./json";
import { formatPath, isWithinPath, type Path } from "./path";

/** The server's parse result of a text, and the fingerprint of that text. */
export interface Reading {
  /** The fingerprint of the text, and of the other inputs that affect its parse result. */
  readonly of: string;
  readonly says: Json;
}

/** Metadata that a program passes along with its inputs, and the results of a check of these inputs. */
export interface Aside {
  /** The paths that the program marked as secret. */
  readonly secrets?: readonly string[];
  /** The paths in the option `ignoreChanges`. */
  readonly ignored?: readonly string[];
  /** The server's parse result of the text in these inputs. */
  readonly reading?: Reading;
  /** The sources of the secrets that the program does not write, by the paths of their fingerprints. */
  readonly sources?: Readonly<Record<string, SecretSource>>;
}

/**
 * The key of the metadata in inputs. It is a symbol, so that every copy of the inputs has it and nothing checks, compares,
 * sends or shows it. The records store it next to the applied inputs.
 */
const ASIDE: unique symbol = Symbol("aside");

/** The metadata of these inputs. */
export function asideOf(inputs: object): Aside {
  return (inputs as { readonly [ASIDE]?: Aside })[ASIDE] ?? {};
}

/** True if the program marked the value at a path as secret, or one of its parents. */
export function isMarked(inputs: object, path: Path): boolean {
  const { secrets = [] } = asideOf(inputs);
  // Most programs mark nothing, and a document may have many paths.
  if (secrets.length === 0) return false;
  const text = formatPath(path);
  return secrets.some((marked) => isWithinPath(text, marked));
}

/** These inputs with this metadata instead of their own. */
export function withAside<I extends object>(
  inputs: I,
  { secrets = [], ignored = [], reading, sources = {} }: Aside,
): I {
  const { [ASIDE]: _, ...plain } = inputs as I & { readonly [ASIDE]?: Aside };
  const aside: Aside = {
    ...(secrets.length > 0 && { secrets }),
    ...(ignored.length > 0 && { ignored }),
    ...(reading !== undefined && { reading }),
    ...(Object.keys(sources).length > 0 && { sources }),
  };
  // The result has every property of the inputs.
  return (Object.keys(aside).length === 0 ? plain : { ...plain, [ASIDE]: aside }) as I;
}

/** The properties of some inputs that pass a test, with the metadata of the inputs. */
export function selected<V>(
  inputs: Readonly<Record<string, V>>,
  passes: (name: string, value: V) => boolean,
): Readonly<Record<string, V>> {
  const own = Object.fromEntries(Object.entries(inputs).filter(([name, value]) => passes(name, value)));
  return withAside(own, asideOf(inputs));
}

/** Reads metadata from JSON: from the records, or from the bridge's property. */
export function asideFrom({ secrets, ignored, reading, sources }: Readonly<Record<string, unknown>>): Aside {
  return {
    secrets: pathsIn(secrets),
    ignored: pathsIn(ignored),
    ...(isReading(reading) && { reading }),
    ...(isObject(sources) && { sources: sourcesIn(sources) }),
  };
}

function sourcesIn(value: object): Record<string, SecretSource> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([path, written]) => {
      const source = sourceIn(written);
      return source === undefined ? [] : [[path, source] as const];
    }),
  );
}

function pathsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((path) => typeof path === "string") : [];
}

function isReading(value: unknown): value is Reading {
  return isObject(value) && typeof value.of === "string" && value.says !== undefined;
}
