import { ExitCode, Refusal } from "../../refusal";

/** The argument of a flag: none (or `=true`, `=false`), one string, or one string per occurrence. */
export type FlagKind = "boolean" | "text" | "list";

/** The flags of a command by their long names; an optional short name follows the kind. */
export type FlagSpecs = Readonly<Record<string, FlagKind | readonly [FlagKind, string]>>;

/** The flags that were given to a command. */
export class Flags {
  readonly #values = new Map<string, string[]>();

  /** The long names of all flags given. */
  get names(): readonly string[] {
    return [...this.#values.keys()];
  }

  add(name: string, value: string): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
  }

  /** The value of the last occurrence. */
  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  isSet(name: string): boolean {
    return this.text(name) === "true";
  }

  /** An integer, or `otherwise` if the flag is missing. */
  number(name: string, otherwise: number): number {
    const text = this.text(name);
    if (text === undefined) return otherwise;
    if (!/^-?\d+$/.test(text)) throw invalidArgument(text, name);
    return Number(text);
  }
}

/** Finds a flag by its long or short name. */
export function findFlag(
  specs: FlagSpecs,
  written: string,
): { readonly name: string; readonly kind: FlagKind } | undefined {
  for (const [name, spec] of Object.entries(specs)) {
    const [kind, short] = typeof spec === "string" ? [spec, undefined] : spec;
    if (written === `--${name}` || written === `-${short}`) return { name, kind };
  }
  return undefined;
}

export function readBoolean(text: string, name: string): "true" | "false" {
  if (["true", "t", "1"].includes(text.toLowerCase())) return "true";
  if (["false", "f", "0"].includes(text.toLowerCase())) return "false";
  throw invalidArgument(text, name);
}

function invalidArgument(text: string, name: string): Refusal {
  return new Refusal(`invalid argument "${text}" for "--${name}" flag`, ExitCode.failure);
}
