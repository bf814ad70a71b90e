/** Why a state entry's object is not deleted with the entry. */
export type Kept = "written by this command" | "managed by another entry";

/**
 * Which objects the state entries of the running command manage. A command can delete an old entry of an object that another
 * entry manages: after a rename without an alias, or a replacement that creates first. Only the last entry of an object that
 * this command did not write deletes the object.
 */
export class PlaceMemory {
  /** True once the command has checked inputs of its program: a refresh checks none. */
  hasChecked = false;
  readonly #written = new Set<string>();
  /** By place: the resource's name in the program. */
  readonly #registered = new Map<string, string>();
  /** By the former location of a moved object: its new one. */
  readonly #moves = new Map<string, string>();
  /** By place: the entries that a diff compared, and whether each is registered by the program and stays as it is. */
  readonly #entries = new Map<string, Map<string, boolean>>();

  /** Records that this command created, updated or adopted the object, or may have done so. */
  write(place: string): void {
    this.#written.add(place);
  }

  /** Records that the program registers a resource with this name at this place. Returns the first name registered there. */
  register(place: string, name: string): string {
    const first = this.#registered.get(place) ?? name;
    this.#registered.set(place, first);
    return first;
  }

  /** Records that the program moves an object, and every object below it, to another location. */
  move(from: string, to: string): void {
    this.#moves.set(from, to);
  }

  /** True if the program moves an object of this command. */
  get hasMoves(): boolean {
    return this.#moves.size > 0;
  }

  /** The new location of what was at this one; undefined if nothing moved. */
  movedTo(from: string): string | undefined {
    return this.#moves.get(from);
  }

  isRegistered(place: string | undefined): boolean {
    return place !== undefined && this.#registered.has(place);
  }

  /** Records that a diff compared this entry. `stays`: the program registers it, and nothing about it changes. */
  compare(place: string, entry: string, stays: boolean): void {
    const entries = this.#entries.get(place) ?? new Map<string, boolean>();
    this.#entries.set(place, entries.set(entry, stays));
  }

  /** Removes an entry. Returns why its object must not be deleted; undefined if the object must be deleted too. */
  remove(place: string, entry: string): Kept | undefined {
    if (this.#written.has(place)) return "written by this command";
    const entries = this.#entries.get(place);
    // The engine does not delete an entry that stays: the deleted entry is an older one with the same content.
    if (entries?.get(entry) === true) return "managed by another entry";
    entries?.delete(entry);
    return (entries?.size ?? 0) > 0 ? "managed by another entry" : undefined;
  }
}
