import type { Notice, Subject } from "../language/stepInput";

/** A resource's name in a message: `Nomad job "default/web"`. */
export function subjectText({ type, name }: Subject): string {
  return name === undefined ? type : `${type} ${JSON.stringify(name)}`;
}

/** A notice as one line. */
export function noticeText({ kind, about, text }: Notice): string {
  if (about === undefined) return text;
  const told = `${subjectText(about)}: ${text}`;
  return kind === "progress" ? told : `${kind}: ${told}`;
}

/**
 * The objects that one pass of an engine replaces, and the resources that name them. Each pair is reported, no matter which
 * of the two appears first. Plain deletes are missing, because an engine does not send these to the provider in a preview.
 */
export class Going {
  readonly #going = new Map<string, string>();
  readonly #naming = new Map<string, Set<string>>();

  /** @returns the names of those objects in `keys` that are to be replaced */
  names(who: string, keys: readonly string[]): string[] {
    for (const key of keys) this.#naming.set(key, (this.#naming.get(key) ?? new Set()).add(who));
    return [...new Set(keys.flatMap((key) => this.#going.get(key) ?? []))].filter((what) => what !== who);
  }

  /** @returns the names of the resources that refer to the object to be replaced */
  goes(what: string, keys: readonly string[]): string[] {
    for (const key of keys) this.#going.set(key, what);
    return [...new Set(keys.flatMap((key) => [...(this.#naming.get(key) ?? [])]))].filter(
      (who) => who !== what,
    );
  }
}
