/**
 * Which objects a pass of an engine has shown to go, and which name which: whichever of the two is shown later, it is told.
 * What a program only deletes no engine shows in a preview, so nothing is known of it.
 */
export class Going {
  readonly #going = new Map<string, string>();
  readonly #naming = new Map<string, Set<string>>();

  /** @returns those of the named objects that go, in words */
  names(who: string, keys: readonly string[]): string[] {
    for (const key of keys) this.#naming.set(key, (this.#naming.get(key) ?? new Set()).add(who));
    return [...new Set(keys.flatMap((key) => this.#going.get(key) ?? []))].filter((what) => what !== who);
  }

  /** @returns who names the object that goes, in words */
  goes(what: string, keys: readonly string[]): string[] {
    for (const key of keys) this.#going.set(key, what);
    return [...new Set(keys.flatMap((key) => [...(this.#naming.get(key) ?? [])]))].filter(
      (who) => who !== what,
    );
  }
}
