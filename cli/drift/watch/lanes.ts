/**
 * Runs a task for each marked element with limited concurrency, and never twice at a time for the same element. An element
 * marked during its task runs once more afterward, so that the last result shows its last state.
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

  /** Starts the tasks; before this, marked elements only queue up. */
  open(): void {
    this.#isOpen = true;
    this.#fill();
  }

  /** Marks an element. If it is already marked, the earlier `how` applies. */
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
