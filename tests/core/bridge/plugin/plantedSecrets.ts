import type { AnyDefinition } from "../../../../provider/core/language/resource";
import { SecretMap } from "../../../../provider/core/state/secretMap";
import { isObject } from "../../../../provider/core/value/json";
import type { Path } from "../../../../provider/core/value/path";
import { randomBytes } from "../../../bytes";
import { type Bag, secret } from "./calls";

/** A program with secret texts at some paths. */
export interface Planted {
  readonly program: Bag;
  /** The texts at paths that are secret by definition. */
  readonly own: readonly string[];
  /** The texts that are secret because the program marks them. */
  readonly marked: readonly string[];
}

/** A text in a program: its path, and the JSON text that contains it, if any. */
export interface Leaf {
  readonly path: Path;
  readonly within?: Path;
}

/** Every text of a program. */
export function leavesOf(program: Bag): Leaf[] {
  return leavesIn(program, []);
}

function leavesIn(value: unknown, path: Path): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((part, index) => leavesIn(part, [...path, index]));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, part]) => leavesIn(part, [...path, name]));
  if (typeof value !== "string") return [];
  const document = documentIn(value);
  if (document === undefined) return [{ path }];
  return leavesIn(document, []).map((leaf) => ({ path: path, within: leaf.path }));
}

/** Puts a new text at each of these leaves, and marks it unless it is secret by definition. */
export function planted(definition: AnyDefinition, program: Bag, leaves: readonly Leaf[]): Planted {
  const own: string[] = [];
  const marked: string[] = [];
  const isOwn = (path: Path) => new SecretMap(definition).isWithinSecret(path);
  const at = (path: Path, value: unknown): unknown => {
    const here = leaves.filter((leaf) => leaf.path.join("\0") === path.join("\0"));
    if (here.length > 0) {
      const texts = here.map((leaf) => ({ within: leaf.within, text: fresh() }));
      (isOwn(path) ? own : marked).push(...texts.map(({ text }) => text));
      const [first] = texts;
      const document = typeof value === "string" ? documentIn(value) : undefined;
      const written =
        first?.within === undefined || document === undefined
          ? first?.text
          : JSON.stringify(
              texts.reduce<unknown>((all, { within, text }) => put(all, within ?? [], text), document),
            );
      return isOwn(path) ? written : secret(written);
    }
    if (Array.isArray(value)) return value.map((part, index) => at([...path, index], part));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, at([...path, name], part)]));
  };
  return { program: at([], program) as Bag, own, marked };
}

/** The value with another one at a path. */
export function put(value: unknown, [name, ...rest]: Path, text: unknown): unknown {
  if (name === undefined) return text;
  if (Array.isArray(value))
    return value.map((part, index) => (index === name ? put(part, rest, text) : part));
  return isObject(value) ? { ...value, [name]: put(value[name], rest, text) } : value;
}

/** Letters and digits only, which most fields accept. */
function fresh(): string {
  return `canary${randomBytes(12).toString("hex")}`;
}

function documentIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
