import { isObject, type Json } from "./json";
import { type SecretSource, sourceIn } from "./sealing";

/** What a service read in a text, and which text that was. */
export interface Reading {
  /** The fingerprint of the text, and of what it was read with. */
  readonly of: string;
  readonly says: Json;
}

/** What a program hands along with its inputs, and what a check has found out about them. */
export interface Aside {
  /** The paths that the program marked secret. */
  readonly secrets?: readonly string[];
  /** The paths under the option `ignoreChanges`. */
  readonly ignored?: readonly string[];
  /** What the service reads in the text of these inputs. */
  readonly reading?: Reading;
  /** Where the secrets are that the program does not write, by the paths at which their seals stand. */
  readonly sources?: Readonly<Record<string, SecretSource>>;
}

/**
 * The key under which inputs carry their aside. It is a symbol, so that every copy of the inputs has it and nothing checks,
 * compares, sends or shows it. The records keep it beside what was applied.
 */
const ASIDE: unique symbol = Symbol("aside");

/** What goes along with these inputs. */
export function asideOf(inputs: object): Aside {
  return (inputs as { readonly [ASIDE]?: Aside })[ASIDE] ?? {};
}

/** These inputs with this aside in place of their own. */
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

/** The properties of some inputs that pass a test, with what goes along with the inputs. */
export function selected<V>(
  inputs: Readonly<Record<string, V>>,
  passes: (name: string, value: V) => boolean,
): Readonly<Record<string, V>> {
  const own = Object.fromEntries(Object.entries(inputs).filter(([name, value]) => passes(name, value)));
  return withAside(own, asideOf(inputs));
}

/** The properties in which earlier versions carried an aside; their states still hold them. */
const FORMER = { secrets: "__secrets", ignored: "__ignored", reading: "__parsed" } as const;

/** The values of a state that an earlier version wrote, and the aside that it kept among them. */
export function withoutFormer<V>(values: Readonly<Record<string, V>>): {
  own: Readonly<Record<string, V>>;
  former: Aside;
} {
  const { [FORMER.secrets]: secrets, [FORMER.ignored]: ignored, [FORMER.reading]: reading, ...own } = values;
  return { own, former: asideFrom({ secrets, ignored, reading }) };
}

/** An aside from JSON: from the records, or from the bridge's property. */
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
