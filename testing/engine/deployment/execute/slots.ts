/** A semaphore; waiters are served in order. */
export class Slots {
  private readonly waiting: (() => void)[] = [];

  constructor(private available: number) {}

  take(): Promise<void> {
    if (this.available > 0) {
      this.available -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  free(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.available += 1;
  }
}
