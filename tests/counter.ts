import { appendFileSync } from "node:fs";

/** Counts the steps of property tests. Appends the sum to the file in QUARTERDECK_COUNTED, if it is set. */
export class Counter {
  private times = 0;

  constructor(private readonly what: "steps" | "commands") {
    afterAll(() => {
      const path = process.env.QUARTERDECK_COUNTED;
      if (path !== undefined) appendFileSync(path, `${JSON.stringify([this.what, this.times])}\n`);
    });
  }

  add(times = 1): void {
    this.times += times;
  }
}
