/**
 * Does something for each that is marked, so many at once, and never for the same one twice at once: one that is marked
 * while it is under way is done once more after that, so that what is known of it last is its last state.
 */
export class Lanes<T, How> {
  readonly #marked = new Map<T, How>();
  readonly #underWay = new Set<T>();
  #isOpen = false;

  constructor(
    private readonly atOnce: number,
    private readonly run: (each: T, how: How) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Nothing is done before. */
  open(): void {
    this.#isOpen = true;
    this.#fill();
  }

  /** Marks one; the first that says how it is done is heard, until it is. */
  mark(each: T, how: How): void {
    if (!this.#marked.has(each)) this.#marked.set(each, how);
    this.#fill();
  }

  #fill(): void {
    if (!this.#isOpen) return;
    for (const [each, how] of this.#marked) {
      if (this.#underWay.size >= this.atOnce) return;
      if (this.#underWay.has(each)) continue;
      this.#marked.delete(each);
      this.#underWay.add(each);
      void this.run(each, how)
        .catch(this.failed)
        .finally(() => {
          this.#underWay.delete(each);
          this.#fill();
        });
    }
  }
}
